import { element, showIn, showText } from './element.js';
import { showState } from './state-mark.js';
import { clockText, durationText } from './time-text.js';

const part = (id) => document.getElementById(id);
const runbookUrl = (section) => `/runbook#${section.toLowerCase()}`;

/** Shows the worst incident as the headline and the others below it. `now` is the gateway's clock in milliseconds. */
export function showBanner(status, incidents, now) {
	part('banner').dataset.state = status;
	showState(part('overall'), status);
	const [first, ...others] = incidents;
	// A status region: it is announced when it changes.
	const headline =
		first?.summary ?? (status === 'UP' ? 'All services are up.' : 'The system is not fully up.');
	if (part('headline').textContent !== headline) part('headline').textContent = headline;
	part('cause').hidden = first === undefined;
	showIncident(part('cause'), first, now);
	part('incidents').hidden = others.length === 0;
	while (part('incidents').children.length > others.length) part('incidents').lastElementChild.remove();
	for (const [index, incident] of others.entries()) {
		const item = part('incidents').children[index] ?? part('incidents').appendChild(createItem());
		showText(item.firstElementChild, incident.summary);
		showIncident(item.lastElementChild, incident, now);
	}
}

function createItem() {
	return element('li', {}, element('strong'), element('div', { class: 'incident' }));
}

/** Only the time is updated every second, so that the link keeps the focus. */
function showIncident(parent, incident, now) {
	if (incident === undefined) return;
	const { contexts, since, note = '', runbook } = incident;
	showIn(parent, { contexts, note, runbook }, () => [
		element(
			'p',
			{ class: 'facts' },
			element('span', { class: 'since' }),
			runbook && element('span', {}, element('a', { href: runbookUrl(runbook) }, `Runbook: ${runbook}`)),
		),
		contexts.length === 0 ? undefined : element('p', {}, contexts.join(', ')),
		note === '' ? undefined : element('p', {}, note),
	]);
	showText(parent.querySelector('.since'), sinceText(since, now));
}

function sinceText(since, now) {
	if (since === undefined) return 'since before this gateway started';
	return `since ${clockText(since)}, for ${durationText((now - since) / 1_000)}`;
}
