import { createList, element, showText } from './element.js';
import { createState, showState } from './state-mark.js';
import { term } from './terms.js';
import { durationText } from './time-text.js';

/** The card of discovery: where the gateway gets its addresses from. */
export function createDiscoveryCard() {
	return createFactsCard('discovery', 'Discovery', (health) => [
		['Source', kinds[health.kind] ?? health.kind, 'registry'],
		['Leader', health.leader ?? (health.kind === 'consul' ? 'none' : undefined), 'leader'],
		['Last response', health.ageSeconds === null ? 'never' : ago(health.ageSeconds)],
		['Instances', health.stale ? 'the last known ones' : 'current'],
		['Cause', health.message],
	]);
}

/** The card of this gateway itself. */
export function createGatewayCard() {
	return createFactsCard('gateway', 'Gateway', (health) => [
		['Instance', health.instance ? `${health.instance.id} (${health.instance.address})` : undefined],
		['Version', health.version],
		['Up for', durationText(health.uptimeSeconds)],
		['Workers', workersText(health.workers)],
		['Event-loop delay', `${health.eventLoopDelayMs} ms`, 'eventLoop'],
		['Memory', `${Math.round(health.memoryBytes / 1_048_576)} MiB`],
		[
			'Revoked tokens',
			health.revocations?.stale ? 'not current: auth does not report them' : 'current',
			'revoked',
		],
		['Rate limits', storeText(health.rateLimits?.keptIn), 'rateLimits'],
		['Overrides', storeText(health.breakerOverrides?.storedIn, health.breakerOverrides?.stale), 'overrides'],
		['Attached services', contextsFileText(health.contextsFile), 'contextsFile'],
		['Draining', health.draining ? 'yes, stops soon' : 'no', 'draining'],
	]);
}

/** `rowsOf` returns `[label, value, term]` for each fact; those without a value are left out. */
function createFactsCard(id, title, rowsOf) {
	const state = createState('pending', '…');
	const list = element('dl', { class: 'rows' });
	const showRows = createList(list, ([label]) => label, createRow);
	const node = element(
		'article',
		{ class: 'card', id },
		element('header', { class: 'card-head' }, element('h3', {}, title), state),
		list,
	);
	const show = (health) => {
		node.dataset.state = health.status;
		showState(state, health.status);
		// Without the right to details there is the word only.
		const detailed = health.kind !== undefined || health.version !== undefined;
		showRows(detailed ? rowsOf(health).filter(([, value]) => value !== undefined) : []);
	};
	return { node, show };
}

function createRow() {
	const label = element('dt');
	const value = element('dd');
	const node = element('div', {}, label, value);
	const show = ([name, text, meaning]) => {
		if (label.textContent === '') label.append(meaning === undefined ? name : term(meaning, name));
		showText(value, text);
	};
	return { node, show };
}

/** Undefined if the gateway has none. */
function workersText(workers) {
	return workers && `${workers.ready} of ${workers.configured} ready`;
}

/** Undefined without CONTEXTS_FILE. */
function contextsFileText(file) {
	if (file === undefined) return undefined;
	const [first, ...others] = file.problems;
	if (first === undefined) return 'as CONTEXTS_FILE says';
	const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
	return `CONTEXTS_FILE is not valid, the former one is used: ${first}${more}`;
}

function storeText(store, isStale = false) {
	const text = stores[store];
	return isStale ? `${text}, which does not respond` : text;
}

const stores = {
	memory: 'this gateway only',
	redis: 'all gateways, in Redis',
	consul: 'all gateways, in Consul',
	'redis unavailable: memory': 'this gateway only: Redis does not respond',
};

const kinds = { consul: 'Consul', dns: 'DNS', kubernetes: 'Kubernetes', static: 'Static list' };

function ago(seconds) {
	return seconds < 2 ? 'just now' : `${durationText(seconds)} ago`;
}
