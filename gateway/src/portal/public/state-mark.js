/** Shows a health word, or that of a breaker, with its shape. `mark` is what the server's `stateMark` made. */
export function showState(mark, word, text = word) {
	if (mark.dataset.state === word && mark.lastElementChild.textContent === text) return;
	mark.dataset.state = word;
	mark.querySelector('use').setAttribute('href', `#state-${shapes[word] ?? 'pending'}`);
	mark.lastElementChild.textContent = text;
}

/** A new mark. */
export function createState(word, text = word) {
	const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
	svg.setAttribute('aria-hidden', 'true');
	svg.append(document.createElementNS('http://www.w3.org/2000/svg', 'use'));
	const label = document.createElement('span');
	label.className = 'word';
	const mark = document.createElement('span');
	mark.className = 'state';
	mark.append(svg, label);
	showState(mark, word, text);
	return mark;
}

const shapes = {
	UP: 'UP',
	DEGRADED: 'DEGRADED',
	DOWN: 'DOWN',
	UNKNOWN: 'UNKNOWN',
	CLOSED: 'UP',
	HALF_OPEN: 'DEGRADED',
	OPEN: 'DOWN',
};
