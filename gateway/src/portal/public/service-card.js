import { createList, element, showIn, showText } from './element.js';
import { createInstanceRow, reasons } from './instance-row.js';
import { sparkline } from './sparkline.js';
import { createState, showState } from './state-mark.js';
import { term } from './terms.js';
import { durationText, latencyText } from './time-text.js';
import { createTrafficFigures } from './traffic-figures.js';

/** The card of one service; `onOverride` is called with the context and its instances. */
export function createServiceCard(context, onOverride) {
	const state = createState('pending', '…');
	const critical = term('critical', 'Critical');
	const optional = term('optional', 'Optional');
	const size = element('span');
	const latency = element('span');
	const meta = element('p', { class: 'card-meta facts' }, critical, optional, size, latency);
	const problem = element('div', { class: 'problem', hidden: true });
	const probes = createProbes();
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
	const showInstances = createList(instances, ({ instance }) => instance.id, createInstanceRow);
	const node = element(
		'article',
		{ class: 'card', 'data-card': context },
		element('header', { class: 'card-head' }, element('h3', {}, context), state),
		meta,
		problem,
		traffic.node,
		probes.node,
		instances,
		override,
	);
	const show = (health, series, now) => {
		node.dataset.state = health.status;
		showState(state, health.status);
		const known = health.instances ?? [];
		meta.hidden = health.instances === undefined;
		critical.hidden = health.critical !== true;
		optional.hidden = health.critical !== false;
		showText(size, known.length === 1 ? '1 instance' : `${known.length} instances`);
		showText(latency, health.latencyMs === undefined ? '' : latencyText(health.latencyMs));
		problem.hidden = health.status === 'UP' || health.reason === undefined;
		showIn(problem, problemOf(health), renderProblem);
		probes.show(series.of(context), series, now);
		ids = known.map(({ id }) => id);
		showInstances(known.map((instance) => ({ instance, now })));
	};
	const allowOverrides = (allowed) => {
		override.hidden = !allowed;
	};
	return { node, show, showTraffic: traffic.show, allowOverrides };
}

/** The line of the health probes. */
function createProbes() {
	const chart = element('div', { class: 'chart' });
	const legend = element('span');
	const node = element(
		'div',
		{ class: 'figure probes' },
		chart,
		element('p', { class: 'legend' }, term('probes', 'Health probes'), legend),
	);
	const show = (slots, series, now) => {
		node.hidden = slots.length === 0;
		const slowest = Math.max(0, ...slots.map((slot) => slot.latencyMs ?? 0));
		const drawn = {
			slots: slots.map(({ latencyMs, ...slot }) => ({ ...slot, value: latencyMs })),
			windowMs: series.windowMs(),
			slotMs: series.slotMs(),
			scaleMin: 20,
			label: probesText(slots, slowest, series.slotMs()),
		};
		showIn(chart, { ...drawn, slot: Math.floor(now / drawn.slotMs) }, () => sparkline({ ...drawn, now }));
		showText(
			legend,
			`, last ${durationText(drawn.windowMs / 1_000).replace(' 0 s', '')} · at most ${latencyText(slowest)}`,
		);
	};
	return { node, show };
}

function probesText(slots, slowest, slotMs) {
	if (slots.length === 0) return 'Health probes: none yet.';
	const bad = slots.filter(({ status }) => status === 'DOWN' || status === 'DEGRADED');
	const state =
		bad.length === 0 ? 'always up' : `not up for about ${Math.ceil((bad.length * slotMs) / 60_000)} min`;
	return `Health probes of the last 15 minutes: at most ${latencyText(slowest)}, ${state}.`;
}

function problemOf(health) {
	const { reason, statusCode, message, components, discovery } = health;
	const failing = failingOf(components);
	// The message of a service that is not ready repeats its failing checks.
	const text = failing.length > 0 && reason === 'ERROR' ? undefined : message;
	return {
		title: isForced(health) ? 'Forced open' : (reasons[reason] ?? reason),
		reason,
		statusCode,
		message: text,
		failing,
		stale: discovery?.stale,
		unlisted: discovery?.unlisted,
	};
}

/** Whether an administrator is the cause. */
function isForced({ reason, instances = [] }) {
	const bad = instances.find(({ status }) => status !== 'UP');
	return reason === 'CIRCUIT_OPEN' && bad?.breaker.forced !== undefined;
}

/** The failing dependencies that the instances report, such as `database: connection refused`. */
function failingOf(components = {}) {
	return Object.entries(components)
		.filter(([, { status }]) => status !== 'UP')
		.map(([name, { status, details }]) => `${name}: ${details?.error ?? status}`);
}

function renderProblem({ title, reason, statusCode, message, failing, stale, unlisted }) {
	const code =
		statusCode === undefined ? undefined : element('span', { class: 'code' }, `HTTP ${statusCode}`);
	return [
		element('p', {}, element('strong', {}, title ?? ''), ' ', code),
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
