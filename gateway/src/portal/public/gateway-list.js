import { element, showIn } from './element.js';
import { createState } from './state-mark.js';

const periodMs = 5_000;

/** The other gateways and their breakers. They are requested only while there are other gateways, every five seconds. */
export function createGatewayList({ url, section, list }) {
	let requestedAt = Number.NEGATIVE_INFINITY;
	return {
		/** `others` as in the health of the gateway; undefined for callers who may not see details. */
		async update(others, token) {
			section.hidden = others === undefined || others.length === 0;
			if (section.hidden || performance.now() - requestedAt < periodMs) return;
			requestedAt = performance.now();
			showIn(list, await readViews(url, token, others), (views) => views.map(renderGateway));
		},
	};
}

async function readViews(url, token, others) {
	const headers = token === undefined ? {} : { Authorization: `Bearer ${token}` };
	try {
		const response = await fetch(url, { headers, cache: 'no-store' });
		if (response.ok) return (await response.json()).data.others;
	} catch {
		// The stream reports that the gateway is unreachable.
	}
	return others.map((other) => ({ ...other, responds: false, breakers: [] }));
}

function renderGateway({ id, address, responds, message, breakers }) {
	const notClosed = breakers.filter(({ state, forced }) => state !== 'CLOSED' || forced);
	return element(
		'li',
		{},
		element(
			'p',
			{},
			createState(responds ? 'UP' : 'UNKNOWN', responds ? 'responds' : 'unknown'),
			` ${id} (${address})`,
		),
		element('p', { class: 'muted' }, summaryOf(responds, message, breakers, notClosed)),
		...notClosed.map(renderBreaker),
	);
}

function summaryOf(responds, message, breakers, notClosed) {
	if (!responds) return message ?? 'Its breakers are unknown.';
	if (notClosed.length > 0)
		return `${notClosed.length} of ${breakers.length} breakers are not closed or are overridden:`;
	return `All ${breakers.length} breakers are closed.`;
}

function renderBreaker({ context, instance, state, forced }) {
	const text = ` ${context}, ${instance}${forced ? ', overridden' : ''}`;
	return element('p', {}, createState(state), text);
}
