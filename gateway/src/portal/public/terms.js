import { element } from './element.js';

const meanings = {
	critical: 'Without it the whole system counts as down, and health responds 503.',
	optional: 'Without it the system counts as degraded, not as down.',
	instance:
		'One process of a service, at one address. The gateway distributes the requests to all that work.',
	inFlight: 'Requests that this gateway has sent to the instance and that have no response yet.',
	breaker:
		'Circuit breaker: closed, requests pass. Open: too many failed, so none is sent and clients get 503 at once. Half-open: one request is let through and decides. Forced: an administrator has decided.',
	failed: 'Share of failed requests to this instance in the last seconds; above the limit the breaker opens.',
	errors: 'Responses with a status of 500 or more: failures of the system, not of the caller.',
	p50: 'Half of the responses were faster than this.',
	p95: '95 of 100 responses were faster than this.',
	probes: 'The gateway calls /health of each instance every few seconds, also when there is no traffic.',
	registry:
		'Where the gateway finds the addresses of the instances. If it is lost, the last known addresses are used.',
	leader: 'The Consul server that decides. Without one nothing can register.',
	eventLoop:
		'How long the gateway’s process keeps a request waiting before it works on it. Above 100 ms it is overloaded.',
	revoked: 'The list of access tokens that no longer count, e.g. of closed accounts. auth reports it.',
	rateLimits: 'Where requests of a client are counted: for all gateways together, or for this one alone.',
	overrides: 'Decisions of administrators on breakers, and whether all gateways know them.',
	contextsFile:
		'Services of other projects that CONTEXTS_FILE attaches. A file that is not valid changes nothing.',
	draining: 'Finishes the requests that it has, accepts no new ones, then stops.',
	refusals: 'Requests that the gateway itself refused, by the code in the response.',
};

/** A word whose meaning is shown on hover, focus and tap. */
export function term(name, text) {
	const word = element(
		'button',
		{ type: 'button', class: 'term', 'aria-describedby': `meaning-${name}` },
		text,
	);
	word.addEventListener('pointerenter', () => show(word, meanings[name]));
	word.addEventListener('focus', () => show(word, meanings[name]));
	word.addEventListener('click', () => show(word, meanings[name]));
	word.addEventListener('pointerleave', hideSoon);
	word.addEventListener('blur', hide);
	return word;
}

const tip = element('div', { class: 'tip', hidden: true, 'aria-hidden': 'true' });
let timer;
tip.addEventListener('pointerenter', () => clearTimeout(timer));
tip.addEventListener('pointerleave', hideSoon);
document.addEventListener('keydown', (event) => {
	if (event.key === 'Escape') hide();
});
addEventListener('scroll', hide, { passive: true });
// Screen readers read it with the word, although it is hidden.
const texts = Object.entries(meanings).map(([name, text]) => element('p', { id: `meaning-${name}` }, text));
document.body.append(tip, element('div', { hidden: true }, ...texts));

/** Below the word, inside the window. */
function show(word, text) {
	clearTimeout(timer);
	tip.textContent = text;
	tip.hidden = false;
	const at = word.getBoundingClientRect();
	const { width, height } = tip.getBoundingClientRect();
	const left = Math.max(8, Math.min(at.left, document.documentElement.clientWidth - width - 8));
	const below = at.bottom + 6;
	const top = below + height > innerHeight ? Math.max(8, at.top - height - 6) : below;
	tip.style.left = `${left}px`;
	tip.style.top = `${top}px`;
}

/** Leaves time to move the pointer to the text. */
function hideSoon() {
	clearTimeout(timer);
	timer = setTimeout(hide, 200);
}

function hide() {
	clearTimeout(timer);
	tip.hidden = true;
}
