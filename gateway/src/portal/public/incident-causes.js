// What is wrong, in words. A cause is `{ key, runbook, say(who, isOne), note, contexts? }`: causes with the same key are one incident.

/** The causes of a service that is not UP; `world` has the hosts that are lost and the state of discovery. */
export function causesOfService(name, service, world) {
	if (service.status === 'UP') return [];
	if (service.instances === undefined) return [briefCause(service)];
	if (service.reason === 'NO_INSTANCES') return [unlistedCause(service, world)];
	if (service.reason === 'CONTRACT_PROBLEM') return [contractCause(service)];
	const bad = service.instances.filter(({ status }) => status !== 'UP');
	const onLostHosts = bad.filter((instance) => world.lostHosts.has(hostOf(instance)));
	const hosts = [...new Set(onLostHosts.map(hostOf))].map(hostCause);
	const others = bad.filter((instance) => !onLostHosts.includes(instance));
	return others.length === 0 ? hosts : [...hosts, ...causesOfInstances(name, service, others)];
}

/** Hosts of which no instance can be reached, although more than one service runs there. */
export function lostHostsOf(services) {
	const byHost = new Map();
	for (const [name, { instances = [] }] of services)
		for (const instance of instances) {
			const known = byHost.get(hostOf(instance)) ?? [];
			byHost.set(hostOf(instance), [
				...known,
				{ name, kind: kindOf(instance), isUp: instance.status === 'UP' },
			]);
		}
	const isLost = ([host, all]) =>
		!isThisHost(host) &&
		new Set(all.map(({ name }) => name)).size > 1 &&
		all.every(({ kind, isUp }) => !isUp && (kind === 'hung' || kind === 'unreachable'));
	return new Set([...byHost].filter(isLost).map(([host]) => host));
}

function hostCause(host) {
	return {
		key: `host ${host}`,
		runbook: 'ContextDown',
		say: (who) => `The host ${host} does not respond: ${who}`,
	};
}

/** For callers who may not see why. */
function briefCause({ status }) {
	return {
		key: `brief ${status}`,
		runbook: 'ContextDown',
		say: (who, isOne) =>
			`${who} ${isOne ? 'is' : 'are'} ${status === 'UNKNOWN' ? 'in an unknown state' : status.toLowerCase()}`,
	};
}

function unlistedCause({ status, critical }, { discovery }) {
	if (discovery !== undefined && discovery.status !== 'UP') return discoveryCause(discovery);
	const registry = registryName(discovery);
	if (status === 'DOWN')
		return {
			key: 'none registered',
			runbook: contextRunbook(critical),
			say: (who) => `No instance is registered: ${who}`,
		};
	return {
		key: 'unlisted',
		runbook: 'ServiceUnlisted',
		say: (who) => `${registry} lists no healthy instance: ${who}`,
		note: 'The last known instances are used.',
	};
}

function contractCause({ message }) {
	return {
		key: `contract ${message}`,
		runbook: 'ContractProblem',
		say: (who, isOne) => `The ${isOne ? 'contract' : 'contracts'} of ${who} can not be used`,
		note: message,
	};
}

function causesOfInstances(name, { critical }, bad) {
	const failing = new Map(
		bad.flatMap(({ components = {} }) =>
			Object.entries(components).filter(([, { status }]) => status === 'DOWN'),
		),
	);
	const reporting = bad.filter(({ reason }) => reason === 'ERROR');
	if (failing.size > 0 && reporting.length > 0)
		return [...failing].map(([part, { details }]) => dependencyCause(part, details?.error));
	const kinds = [...new Set(bad.map(kindOf))];
	const isSilent = kinds.length > 1 && kinds.every((kind) => silent.has(kind));
	return [causeOfKind(isSilent ? 'silent' : kinds[0], { name, critical, instance: bad[0] })];
}

const silent = new Set(['hung', 'stopped', 'unreachable', 'broken']);

function kindOf({ status, reason, statusCode, message = '', breaker }) {
	if (status === 'UP') return 'up';
	if (reason === 'CIRCUIT_OPEN') {
		if (breaker.forced !== undefined) return 'forced';
		return breaker.state === 'HALF_OPEN' ? 'halfOpen' : 'open';
	}
	if (reason === 'NO_HEALTH_ENDPOINT') return 'noHealth';
	if (reason === 'TIMEOUT') return 'hung';
	if (statusCode !== undefined) return message === 'Shutting down' ? 'stopping' : 'reporting';
	if (/ECONNREFUSED/.test(message)) return 'stopped';
	return /E(?:HOST|NET)(?:UNREACH|DOWN)|ETIMEDOUT|ENOTFOUND|EAI_AGAIN/.test(message)
		? 'unreachable'
		: 'broken';
}

function causeOfKind(kind, { name, critical, instance }) {
	const { message, statusCode, breaker } = instance;
	const runbook = contextRunbook(critical);
	const verb = (one, many) => (who, isOne) => `${who} ${isOne ? one : many}`;
	switch (kind) {
		case 'forced':
			return {
				key: `forced ${breaker.forced.reason}`,
				runbook: 'BreakerForced',
				say: verb(
					`is closed for maintenance: ${breaker.forced.reason}`,
					`are closed for maintenance: ${breaker.forced.reason}`,
				),
				forced: breaker.forced,
			};
		case 'halfOpen':
			return {
				key: kind,
				runbook: 'BreakerOpen',
				say: verb(
					'is tried again: its breaker is half-open',
					'are tried again: their breakers are half-open',
				),
			};
		case 'open':
			return {
				key: kind,
				runbook: 'BreakerOpen',
				say: (who) => `Requests to ${who} fail: the breaker is open`,
				breakerOf: name,
			};
		case 'noHealth':
			return {
				key: kind,
				runbook: undefined,
				say: verb('has no health endpoint', 'have no health endpoint'),
			};
		case 'hung':
			return { key: kind, runbook, say: verb('does not respond', 'do not respond'), note: message };
		case 'silent':
			return { key: kind, runbook, say: verb('does not respond', 'do not respond') };
		case 'stopped':
			return {
				key: kind,
				runbook,
				say: verb('is not running', 'are not running'),
				note: 'The host refuses the connection: no process listens there.',
			};
		case 'unreachable':
			return { key: kind, runbook, say: verb('cannot be reached', 'cannot be reached'), note: message };
		case 'stopping':
			return { key: kind, runbook, say: verb('shuts down', 'shut down') };
		case 'reporting':
			return {
				key: `${kind} ${statusCode} ${message}`,
				runbook,
				say: verb('reports an error', 'report an error'),
				note: [`HTTP ${statusCode}`, message].filter(Boolean).join(': '),
			};
		default:
			return { key: kind, runbook, say: verb('closes connections', 'close connections'), note: message };
	}
}

/** By the words in which services describe the failure of a dependency. */
const failures = {
	'no response in time': (part) => `The ${part} does not respond`,
	'connection timed out': (part) => `The ${part} does not respond`,
	'no valid response': (part) => `The ${part} does not respond`,
	'connection refused': (part) => `The ${part} refuses connections`,
	'connection reset': (part) => `The connection to the ${part} is lost`,
	'connection lost': (part) => `The connection to the ${part} is lost`,
	'host name not found': (part) => `The host name of the ${part} is not found`,
	'out of space': (part) => `The ${part} is out of space`,
	'too many connections': (part) => `The ${part} accepts no more connections`,
	'credentials rejected': (part) => `The ${part} rejects the credentials`,
	'database does not exist': () => 'The database does not exist',
	'server is read-only': (part) => `The ${part} is read-only`,
	'server stopped': (part) => `The ${part} stopped`,
	'server crashed': (part) => `The ${part} crashed`,
	'server is starting or stopping': (part) => `The ${part} is starting or stopping`,
};

function dependencyCause(part, error) {
	const sentence = failures[error]?.(part) ?? `The ${part} fails${error === undefined ? '' : ` (${error})`}`;
	return {
		key: `dependency ${part}`,
		sentence,
		runbook: error === 'too many connections' ? 'DatabaseConnectionsScarce' : 'ContextDown',
		say: (who) => `${sentence}: ${who}`,
	};
}

/** The cause of a discovery that is not UP. */
export function discoveryCause(discovery) {
	const { status, message = '', kind } = discovery;
	const registry = registryName(discovery);
	const fact = /lost its data/.test(message)
		? `${registry} has lost its data`
		: /no leader/i.test(message)
			? `${registry} has no leader`
			: `${registry} does not respond`;
	return {
		key: 'discovery',
		runbook: 'DiscoveryStale',
		say: () => (kind === undefined ? `Service discovery is ${status.toLowerCase()}` : fact),
		note:
			kind === undefined
				? undefined
				: status === 'DOWN'
					? 'No instance is known.'
					: 'The last known instances are used; new ones are not found.',
	};
}

const registries = {
	consul: 'Consul',
	dns: 'DNS',
	kubernetes: 'The Kubernetes API',
	static: 'The static list',
};

function registryName(discovery) {
	return registries[discovery?.kind] ?? 'The registry';
}

/** The causes of a gateway that is not UP. `authIsUp`: otherwise its missing revocations say nothing new. */
export function causesOfGateway({ status, version, revocations, rateLimits, workers, draining }, authIsUp) {
	if (status === 'UP') return [];
	const cause = (runbook, text, note) => ({ key: text, runbook, say: () => text, note });
	if (version === undefined)
		return authIsUp ? [cause('GatewayDown', `The gateway is ${status.toLowerCase()}`)] : [];
	const causes = [];
	if (revocations?.stale && authIsUp)
		causes.push(
			cause(
				'RevocationsStale',
				'auth does not report revoked tokens',
				'Closed accounts can read until their token expires.',
			),
		);
	if (rateLimits?.keptIn === 'redis unavailable: memory')
		causes.push(
			cause('RedisUnavailable', 'Redis does not respond', 'Each gateway counts rate limits alone.'),
		);
	if (workers !== undefined && workers.ready < workers.configured)
		causes.push(cause('ProcessRestarting', `Only ${workers.ready} of ${workers.configured} workers ready`));
	if (draining) causes.push(cause('GatewayDown', 'This gateway shuts down'));
	return causes;
}

function contextRunbook(critical) {
	return critical ? 'ContextDown' : 'OptionalContextDown';
}

function hostOf({ address }) {
	return address.replace(/:\d+$/, '');
}

function isThisHost(host) {
	return /^(?:127\.|\[?::1\]?$|localhost$)/.test(host);
}
