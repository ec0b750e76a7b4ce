import { causesOfGateway, causesOfService, discoveryCause, lostHostsOf } from './incident-causes.js';
import { clockText } from './time-text.js';

const rank = ['UP', 'UNKNOWN', 'DEGRADED', 'DOWN'];

/** How bad a word is, 0 for UP. */
export function severityOf(status) {
	return Math.max(0, rank.indexOf(status));
}

/**
 * What is wrong, the worst first: `{ status, summary, contexts, since, note, runbook }`. One cause that concerns several services
 * is one incident. `since` is an instant in milliseconds; undefined if it is older than what this gateway knows.
 */
export function incidentsOf({ components }, history) {
	const { discovery, gateway, ...byName } = components;
	const services = Object.entries(byName);
	const world = { lostHosts: lostHostsOf(services), discovery };
	const groups = new Map();
	const add = (name, status, cause, label) => {
		const group = groups.get(cause.key) ?? { cause, members: [] };
		group.members.push({ name, status, label, cause });
		groups.set(cause.key, group);
	};
	for (const [name, service] of services)
		for (const cause of causesOfService(name, service, world))
			add(name, service.status, cause, labelOf(name, service));
	if (discovery.status !== 'UP') add('discovery', discovery.status, discoveryCause(discovery));
	const authIsUp = (byName.auth?.status ?? 'UP') === 'UP';
	for (const cause of causesOfGateway(gateway, authIsUp)) add('gateway', gateway.status, cause);
	return [...groups.values()].map((group) => incidentOf(group, history)).sort(worstFirst);
}

function incidentOf({ members }, history) {
	const cause = mostFrequent(members.map((member) => member.cause));
	const services = members.filter(({ label }) => label !== undefined);
	const [first] = members;
	const isOne = services.length <= 1;
	const starts = members.map(({ name }) => sinceOf(name, history));
	return {
		status: members.reduce(
			(worst, { status }) => (severityOf(status) > severityOf(worst) ? status : worst),
			'UP',
		),
		summary: cause.say(isOne ? (services[0]?.label ?? first.name) : `${services.length} services`, isOne),
		contexts: isOne ? [] : services.map(({ label }) => label),
		note: [cause.note, forcedText(cause.forced), openedBecause(cause.breakerOf, history), effectOf(services)]
			.filter(Boolean)
			.map((sentence) => (sentence.endsWith('.') ? sentence : `${sentence}.`))
			.join(' '),
		since: starts.includes(undefined) ? undefined : Math.min(...starts),
		runbook: cause.runbook,
	};
}

/** With the number of the instances that fail if others of the service work. */
function labelOf(name, { instances }) {
	const bad = instances?.filter(({ status }) => status !== 'UP').length ?? 0;
	return bad === 0 || bad === instances.length ? name : `${bad} of ${instances.length} instances of ${name}`;
}

/** Services may describe one failure in different words, e.g. a database that refuses some and lets others wait. */
function mostFrequent(causes) {
	const count = ({ sentence }) => causes.filter((other) => other.sentence === sentence).length;
	return causes.reduce((most, cause) => (count(cause) > count(most) ? cause : most));
}

/** Who has forced a breaker, and until when. */
export function forcedText(forced, word = 'open') {
	if (forced === undefined) return undefined;
	const end = forced.until ? `, until ${clockText(forced.until)}` : '';
	return `Forced ${word} by ${forced.byName ?? forced.by}${end}.`;
}

function openedBecause(context, history) {
	if (context === undefined) return undefined;
	const cause = history.find(
		(change) => change.what === 'breaker' && concerns(change, context) && change.to === 'OPEN',
	)?.cause;
	return cause && `Last failure: ${cause}.`;
}

function effectOf(services) {
	const isAuth = services.length === 1 && services[0].name === 'auth' && services[0].status === 'DOWN';
	return isAuth ? 'Nobody can sign in; users who are signed in can go on.' : undefined;
}

/** When the present stretch without UP began. */
function sinceOf(name, history) {
	const what = name === 'discovery' ? 'discovery' : 'health';
	const began = history.find(
		(change) => change.what === what && concerns(change, name) && change.from === 'UP',
	);
	return began && Date.parse(began.at);
}

function concerns({ context, contexts = [context] }, name) {
	return contexts.includes(name);
}

function worstFirst(one, other) {
	return (
		severityOf(other.status) - severityOf(one.status) ||
		other.contexts.length - one.contexts.length ||
		(one.since ?? 0) - (other.since ?? 0)
	);
}
