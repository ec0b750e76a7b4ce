import { element, showIn } from './element.js';
import { createState } from './state-mark.js';
import { durationText } from './time-text.js';

/** Where the gateway gets its addresses from. */
export function showDiscovery(parent, discovery) {
	showIn(parent, discovery, (health) =>
		facts(health, [
			['Source', kinds[health.kind] ?? health.kind],
			['Leader', health.leader ?? (health.kind === 'consul' ? 'none' : undefined)],
			['Last response', health.ageSeconds === null ? 'never' : ago(health.ageSeconds)],
			['Instances', health.stale ? 'the last known ones' : 'current'],
			['Cause', health.message],
		]),
	);
}

/** How the gateway itself is. */
export function showGateway(parent, gateway) {
	showIn(parent, gateway, (health) =>
		facts(health, [
			['Instance', health.instance ? `${health.instance.id} (${health.instance.address})` : undefined],
			['Version', health.version],
			['Up for', durationText(health.uptimeSeconds)],
			['Workers', workersText(health.workers)],
			['Event-loop delay', `${health.eventLoopDelayMs} ms`],
			['Memory', `${Math.round(health.memoryBytes / 1_048_576)} MiB`],
			['Revoked tokens', health.revocations?.stale ? 'not current: auth does not report them' : 'current'],
			['Rate limits', storeText(health.rateLimits?.keptIn)],
			['Overrides', storeText(health.breakerOverrides?.storedIn, health.breakerOverrides?.stale)],
			['Draining', health.draining ? 'yes, stops soon' : 'no'],
		]),
	);
}

/** Undefined if the gateway has none. */
function workersText(workers) {
	return workers && `${workers.ready} of ${workers.configured} ready`;
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

/** Without details there is the word only. */
function facts(health, rows) {
	const state = element('p', { class: 'panel-state' }, createState(health.status));
	const detailed = health.kind !== undefined || health.version !== undefined;
	if (!detailed) return state;
	const known = rows.filter(([, value]) => value !== undefined);
	const list = known.map(([label, value]) =>
		element('div', {}, element('dt', {}, label), element('dd', {}, value)),
	);
	return [state, element('dl', { class: 'rows' }, ...list)];
}
