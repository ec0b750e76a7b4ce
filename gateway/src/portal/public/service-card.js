import { element, showIn } from './element.js';
import { sparkline } from './sparkline.js';
import { createState, showState } from './state-mark.js';
import { clockText, durationText, latencyText } from './time-text.js';
import { createTrafficFigures } from './traffic-figures.js';

const reasons = {
	NO_INSTANCES: 'No healthy instance registered',
	NO_HEALTH_ENDPOINT: 'No health endpoint',
	ERROR: 'Error',
	TIMEOUT: 'Time-out',
	CIRCUIT_OPEN: 'Breaker not closed',
};
const breakerWords = { CLOSED: 'Closed', HALF_OPEN: 'Half-open', OPEN: 'Open' };

/** The card of one service; `onOverride` is called with the context and its instances. */
export function createServiceCard(context, onOverride) {
	const state = createState('pending', '…');
	const meta = element('p', { class: 'card-meta' });
	const problem = element('div', { class: 'problem', hidden: true });
	const chart = element('div', { class: 'chart' });
	const legend = element('p', { class: 'legend' });
	const instances = element('ul', { class: 'instances' });
	const traffic = createTrafficFigures();
	const override = element(
		'button',
		{ type: 'button', class: 'button override', hidden: true },
		'Override breakers',
		element('span', { class: 'hidden' }, ` of ${context}`),
	);
	let ids = [];
	override.addEventListener('click', () => onOverride(context, ids));
	const node = element(
		'article',
		{ class: 'card', 'data-card': context },
		element('header', { class: 'card-head' }, element('h3', {}, context), state),
		meta,
		problem,
		traffic.node,
		element('div', { class: 'figure probes' }, chart, legend),
		instances,
		override,
	);
	const show = (health, series, now) => {
		node.dataset.state = health.status;
		showState(state, health.status);
		meta.textContent = metaText(health);
		problem.hidden = health.status === 'UP' || health.reason === undefined;
		showIn(problem, problemOf(health), renderProblem);
		const slots = series.of(context);
		node.querySelector('.probes').hidden = slots.length === 0;
		const slowest = Math.max(0, ...slots.map((slot) => slot.latencyMs ?? 0));
		const drawn = {
			slots: slots.map(({ latencyMs, ...slot }) => ({ ...slot, value: latencyMs })),
			windowMs: series.windowMs(),
			slotMs: series.slotMs(),
			scaleMin: 20,
			label: probesText(slots, slowest, series.slotMs()),
		};
		showIn(chart, { ...drawn, slot: Math.floor(now / drawn.slotMs) }, () => sparkline({ ...drawn, now }));
		legend.textContent = `Health probes, last ${durationText(drawn.windowMs / 1_000).replace(' 0 s', '')} · at most ${latencyText(slowest)}`;
		ids = (health.instances ?? []).map(({ id }) => id);
		const known = (health.instances ?? []).map((instance) => instanceFacts(instance, now));
		showIn(instances, known, (all) => all.map(renderInstance));
	};
	const allowOverrides = (allowed) => {
		override.hidden = !allowed;
	};
	return { node, show, showTraffic: traffic.show, allowOverrides };
}

function probesText(slots, slowest, slotMs) {
	if (slots.length === 0) return 'Health probes: none yet.';
	const bad = slots.filter(({ status }) => status === 'DOWN' || status === 'DEGRADED');
	const state =
		bad.length === 0 ? 'always up' : `not up for about ${Math.ceil((bad.length * slotMs) / 60_000)} min`;
	return `Health probes of the last 15 minutes: at most ${latencyText(slowest)}, ${state}.`;
}

function metaText({ critical, instances, latencyMs }) {
	if (instances === undefined) return '';
	const count = instances.length === 1 ? '1 instance' : `${instances.length} instances`;
	const parts = [critical ? 'Critical' : 'Optional', count];
	if (latencyMs !== undefined) parts.push(latencyText(latencyMs));
	return parts.join(' · ');
}

function problemOf({ reason, statusCode, message, components, discovery }) {
	const failing = failingOf(components);
	// The message of a service that is not ready repeats its failing checks.
	const text = failing.length > 0 && reason === 'ERROR' ? undefined : message;
	return {
		reason,
		statusCode,
		message: text,
		failing,
		stale: discovery?.stale,
		unlisted: discovery?.unlisted,
	};
}

/** The failing dependencies that the instances report, such as `database: connection refused`. */
function failingOf(components = {}) {
	return Object.entries(components)
		.filter(([, { status }]) => status !== 'UP')
		.map(([name, { status, details }]) => `${name}: ${details?.error ?? status}`);
}

function renderProblem({ reason, statusCode, message, failing, stale, unlisted }) {
	const code =
		statusCode === undefined ? undefined : element('span', { class: 'code' }, `HTTP ${statusCode}`);
	return [
		element('p', {}, element('strong', {}, reasons[reason] ?? reason ?? ''), ' ', code),
		message === undefined ? undefined : element('p', {}, message),
		...failing.map((text) =>
			element('p', { class: 'failing' }, 'Failing check: ', element('strong', {}, text)),
		),
		stale
			? element('p', {}, 'The registry does not respond; these are the last known instances.')
			: undefined,
		unlisted && reason !== 'NO_INSTANCES' && failing.length === 0
			? element('p', {}, 'The registry lists no healthy instance; these are the last known ones.')
			: undefined,
	];
}

/** What is shown of an instance, so that it is drawn again only when that has changed. */
function instanceFacts({ address, status, reason, statusCode, latencyMs, inFlight, breaker, peers }, now) {
	const forced = breaker.forced;
	return {
		address,
		status,
		reason: status === 'UP' ? undefined : reason,
		statusCode,
		numbers: `${latencyText(latencyMs)} · ${inFlight} in flight`,
		breaker: breaker.state,
		since: clockText(breaker.since),
		rate: breaker.failureRate === undefined ? undefined : `${Math.round(breaker.failureRate * 100)} % failed`,
		next: forced === undefined ? nextText(breaker, now) : undefined,
		forced: forced === undefined ? undefined : forcedText(forced),
		peers: peers === undefined ? undefined : peersText(peers),
	};
}

function peersText(peers) {
	const words = Object.entries(peers).map(([name, state]) => `${name} (${breakerWords[state] ?? state})`);
	return `Its breaker for others: ${words.join(', ')}`;
}

function nextText({ nextTryAt }, now) {
	if (nextTryAt === undefined) return undefined;
	const seconds = Math.ceil((Date.parse(nextTryAt) - now) / 1_000);
	return seconds > 0 ? `next try in ${seconds} s` : 'next try now';
}

function forcedText({ reason, by, byName = by, until }) {
	const end = until === undefined || until === null ? '' : `, until ${clockText(until)}`;
	return `Overridden by ${byName}${end}: ${reason}`;
}

function renderInstance(facts) {
	const why = [
		reasons[facts.reason],
		facts.statusCode === undefined ? undefined : `HTTP ${facts.statusCode}`,
	];
	const whyText = why.filter((part) => part !== undefined).join(' · ');
	const details = [`since ${facts.since}`, facts.rate, facts.next].filter((part) => part !== undefined);
	return element(
		'li',
		{ class: 'instance', 'data-state': facts.status },
		element('p', { class: 'instance-head' }, element('code', {}, facts.address), createState(facts.status)),
		element('p', { class: 'muted' }, [facts.numbers, whyText].filter((part) => part !== '').join(' · ')),
		element(
			'p',
			{ class: 'breaker', 'data-breaker': facts.breaker },
			element('span', {}, 'Breaker '),
			createState(facts.breaker, breakerWords[facts.breaker] ?? facts.breaker),
			element('span', { class: 'muted' }, ` ${details.join(' · ')}`),
		),
		facts.forced === undefined ? undefined : element('p', { class: 'forced' }, facts.forced),
		facts.peers === undefined ? undefined : element('p', { class: 'forced' }, facts.peers),
	);
}
