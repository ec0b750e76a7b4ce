import { showState } from './state-mark.js';

const healthUrl = document.body.dataset.health;
const everyMs = 5_000;
const sentences = {
	UP: 'Everything works.',
	DEGRADED: 'It works, but not all of it.',
	DOWN: 'Something that is needed does not work.',
	UNKNOWN: 'Nobody can say.',
};

for (const button of document.querySelectorAll('[data-copy]')) {
	button.addEventListener('click', async () => {
		const command = document.getElementById(button.dataset.copy);
		try {
			await navigator.clipboard.writeText(command.textContent);
			say(button, 'Copied');
		} catch {
			// No clipboard without https, but for localhost: then it is selected, and the keyboard copies it.
			getSelection().selectAllChildren(command);
			say(button, 'Selected');
		}
	});
}

function say(button, text) {
	button.textContent = text;
	setTimeout(() => {
		button.textContent = 'Copy';
	}, 2_000);
}

if (healthUrl !== undefined) {
	void keepUpToDate();
}

/** Asks every few seconds while somebody looks. */
async function keepUpToDate() {
	if (!document.hidden) await update();
	setTimeout(keepUpToDate, everyMs);
}

async function update() {
	const overall = document.getElementById('overall');
	const text = document.getElementById('overall-text');
	try {
		const answer = await fetch(healthUrl, { headers: { Accept: 'application/json' }, cache: 'no-store' });
		const { data } = await answer.json();
		if (data.components === undefined) throw new Error(data.code);
		showState(overall, data.status);
		text.textContent = sentences[data.status];
		for (const mark of document.querySelectorAll('[data-context]')) {
			showState(mark, data.components[mark.dataset.context]?.status ?? 'UNKNOWN');
		}
	} catch {
		showState(overall, 'UNKNOWN');
		text.textContent = 'The gateway does not answer; asking again.';
		for (const mark of document.querySelectorAll('[data-context]')) showState(mark, 'UNKNOWN');
	}
}
