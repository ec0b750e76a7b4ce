import { element, showText } from './element.js';
import { forcedText } from './incidents.js';
import { createState, showState } from './state-mark.js';
import { term } from './terms.js';
import { clockText, latencyText } from './time-text.js';

export const reasons = {
	NO_INSTANCES: 'No healthy instance registered',
	NO_HEALTH_ENDPOINT: 'No health endpoint',
	ERROR: 'Error',
	TIMEOUT: 'Time-out',
	CIRCUIT_OPEN: 'Breaker not closed',
};
const breakerWords = { CLOSED: 'Closed', HALF_OPEN: 'Half-open', OPEN: 'Open' };

/** One instance of a service: address, state, breaker, override. */
export function createInstanceRow() {
	const address = element('code');
	const state = createState('pending', '…');
	const latency = element('span');
	const inFlight = element('span');
	const why = element('span');
	const breaker = createState('pending', '…');
	const since = element('span');
	const rate = element('span');
	const failed = element('span', {}, rate, term('failed', 'failed'));
	const next = element('span');
	const forced = element('p', { class: 'forced', hidden: true });
	const peers = element('p', { class: 'peers', hidden: true });
	const breakerLine = element('p', { class: 'breaker' }, term('breaker', 'Breaker'), ' ', breaker);
	const node = element(
		'li',
		{ class: 'instance' },
		element('p', { class: 'instance-head' }, address, state),
		element(
			'p',
			{ class: 'muted facts' },
			latency,
			element('span', {}, inFlight, term('inFlight', 'in flight')),
			why,
		),
		breakerLine,
		element('p', { class: 'muted facts' }, since, failed, next),
		forced,
		peers,
	);
	const show = ({ instance, now }) => {
		const { status } = instance;
		node.dataset.state = status;
		breakerLine.dataset.breaker = instance.breaker.state;
		showText(address, instance.address);
		showState(state, status);
		showText(latency, latencyText(instance.latencyMs));
		showText(inFlight, `${instance.inFlight} `);
		showText(why, whyText(instance));
		showState(breaker, instance.breaker.state, breakerText(instance.breaker));
		showText(since, `since ${clockText(instance.breaker.since)}`);
		showText(rate, rateText(instance.breaker));
		failed.hidden = rate.hidden;
		showText(next, nextText(instance.breaker, now));
		showText(forced, overrideText(instance.breaker));
		showText(peers, peersText(instance.peers));
	};
	return { node, show };
}

/** `Forced open` in the words of the card, the history and the banner. */
function breakerText({ state, forced }) {
	const word = breakerWords[state] ?? state;
	return forced === undefined ? word : `Forced ${word.toLowerCase()}`;
}

function whyText({ status, reason, statusCode }) {
	if (status === 'UP') return '';
	const code = statusCode === undefined ? undefined : `HTTP ${statusCode}`;
	return [reasons[reason], code].filter((part) => part !== undefined).join(' · ');
}

function rateText({ failureRate }) {
	return failureRate === undefined ? '' : `${Math.round(failureRate * 100)} % `;
}

function nextText({ nextTryAt, forced }, now) {
	if (nextTryAt === undefined || forced !== undefined) return '';
	const seconds = Math.ceil((Date.parse(nextTryAt) - now) / 1_000);
	return seconds > 0 ? `next try in ${seconds} s` : 'next try now';
}

function overrideText({ state, forced }) {
	if (forced === undefined) return '';
	const phrase = state === 'OPEN' ? 'Closed for maintenance' : 'Every request is admitted';
	return `${phrase}: ${forced.reason} · ${forcedText(forced, breakerWords[state].toLowerCase())}`;
}

function peersText(peers) {
	if (peers === undefined) return '';
	const words = Object.entries(peers).map(([name, state]) => `${name} (${breakerWords[state] ?? state})`);
	return `Its breaker for others: ${words.join(', ')}`;
}
