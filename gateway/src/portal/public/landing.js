import { showState } from './state-mark.js';

const healthUrl = document.body.dataset.health;
// Health counts against the rate limit of the address, which the pages of a whole office may share.
const everyMs = 15_000;
const sentences = {
	UP: 'All services are up.',
	DEGRADED: 'The system works with limitations.',
	DOWN: 'A critical service is down.',
	UNKNOWN: 'Status unknown.',
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

/** Updates at an interval while the page is visible. */
async function keepUpToDate() {
	if (!document.hidden) await update();
	setTimeout(keepUpToDate, everyMs);
}

async function update() {
	const overall = document.getElementById('overall');
	const text = document.getElementById('overall-text');
	try {
		const response = await fetch(healthUrl, { headers: { Accept: 'application/json' }, cache: 'no-store' });
		// What is shown stays true for as long as the limit lasts; the next round updates it.
		if (response.status === 429) return;
		const { data } = await response.json();
		if (data.components === undefined) throw new Error(data.code);
		showState(overall, data.status);
		text.textContent = sentences[data.status];
		for (const mark of document.querySelectorAll('[data-context]')) {
			showState(mark, data.components[mark.dataset.context]?.status ?? 'UNKNOWN');
		}
	} catch {
		showState(overall, 'UNKNOWN');
		text.textContent = 'The gateway does not respond; retrying.';
		for (const mark of document.querySelectorAll('[data-context]')) showState(mark, 'UNKNOWN');
	}
}
