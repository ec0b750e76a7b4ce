import { describe, expect, test } from '@jest/globals';

interface Incident {
	readonly status: string;
	readonly summary: string;
	readonly contexts: readonly string[];
	readonly since: number | undefined;
	readonly note: string;
	readonly runbook: string | undefined;
}

interface Change {
	readonly at: string;
	readonly context: string;
	readonly contexts?: readonly string[];
	readonly what: string;
	readonly from: string;
	readonly to: string;
	readonly cause?: string;
}

interface Health {
	readonly components: Readonly<Record<string, unknown>>;
}

// A browser module, without types.
const script = new URL('../src/portal/public/incidents.js', import.meta.url).href;
const { incidentsOf } = (await import(script)) as {
	incidentsOf: (health: Health, history: readonly Change[]) => Incident[];
};

const closed = { state: 'CLOSED', since: '2026-03-01T08:00:00.000Z' };
const up = { status: 'UP', address: '10.0.0.9:8080', breaker: closed };

/** An instance that fails. */
function failing(fault: object, address = '10.0.0.7:8083') {
	return { status: 'DOWN', address, breaker: closed, ...fault };
}

function service(instances: readonly { status: string; reason?: string }[], more: object = {}) {
	const bad = instances.filter(({ status }) => status !== 'UP');
	const status = bad.length === 0 ? 'UP' : bad.length === instances.length ? bad[0]?.status : 'DEGRADED';
	return { status, critical: true, reason: bad[0]?.reason, instances, discovery: {}, ...more };
}

const discovery = { status: 'UP', kind: 'consul' };
const gateway = {
	status: 'UP',
	version: '1.0.0',
	revocations: { stale: false },
	rateLimits: { keptIn: 'memory' },
	draining: false,
};

function incidents(components: object, history: readonly Change[] = []): Incident[] {
	return incidentsOf({ components: { discovery, gateway, ...components } }, history);
}

const summaries = (components: object) => incidents(components).map(({ summary }) => summary);

const timeout = { reason: 'TIMEOUT', message: 'No response within 1000 ms' };
const refused = { reason: 'ERROR', message: 'No valid response (ECONNREFUSED)' };
const noRoute = { reason: 'ERROR', message: 'No valid response (EHOSTUNREACH)' };
const database = (error: string) => ({
	reason: 'ERROR',
	statusCode: 503,
	message: `Not ready; database: ${error}`,
	components: { database: { status: 'DOWN', details: { error } } },
});
const all = (fault: object) => ({
	horses: service([failing(fault)]),
	events: service([failing(fault, '10.0.0.8:8084')]),
});

describe('the causes of an incident', () => {
	test.each([
		['no response in time', 'The database does not respond: 2 services'],
		['connection refused', 'The database refuses connections: 2 services'],
		['out of space', 'The database is out of space: 2 services'],
		['too many connections', 'The database accepts no more connections: 2 services'],
		['error 42P01', 'The database fails (error 42P01): 2 services'],
	])('database %s: %s', (error, summary) => {
		const [incident, ...others] = incidents(all(database(error)));
		expect([incident?.summary, incident?.contexts, others]).toEqual([summary, ['horses', 'events'], []]);
	});

	test.each([
		[timeout, '2 services do not respond'],
		[refused, '2 services are not running'],
		[noRoute, '2 services cannot be reached'],
		[{ reason: 'ERROR', message: 'No valid response (ECONNRESET)' }, '2 services close connections'],
		[{ reason: 'ERROR', statusCode: 503, message: 'Shutting down' }, '2 services shut down'],
		[{ reason: 'ERROR', statusCode: 500, message: 'boom' }, '2 services report an error'],
		[
			{ status: 'UNKNOWN', reason: 'NO_HEALTH_ENDPOINT', statusCode: 404 },
			'2 services have no health endpoint',
		],
		[
			{ reason: 'CIRCUIT_OPEN', breaker: { ...closed, state: 'OPEN' } },
			'Requests to 2 services fail: the breaker is open',
		],
	])('%j of two services is one sentence: %s', (fault, summary) => {
		expect(summaries(all(fault))).toEqual([summary]);
	});

	test('services that describe the failure of one database differently are one incident', () => {
		const two = {
			...all(database('no response in time')),
			auth: service([failing(database('connection lost'))]),
		};
		expect(summaries(two)).toEqual(['The database does not respond: 3 services']);
	});

	test('a host with all its services is one incident; other instances of a service are counted', () => {
		const host = (port: number) => failing(timeout, `10.0.0.5:${port}`);
		const lost = { horses: service([host(1), up]), events: service([host(2)]) };
		const [incident] = incidents(lost);
		expect([incident?.summary, incident?.status, incident?.contexts]).toEqual([
			'The host 10.0.0.5 does not respond: 2 services',
			'DOWN',
			['1 of 2 instances of horses', 'events'],
		]);
		// The gateway's own host responds.
		const here = {
			horses: service([failing(timeout, '127.0.0.1:1')]),
			events: service([failing(timeout, '127.0.0.1:2')]),
		};
		expect(summaries(here)).toEqual(['2 services do not respond']);
	});

	test('instances that are silent in different ways do not respond', () => {
		expect(summaries({ horses: service([failing(timeout), failing(refused)]) })).toEqual([
			'horses does not respond',
		]);
		expect(summaries({ horses: service([failing(timeout), up]) })).toEqual([
			'1 of 2 instances of horses does not respond',
		]);
	});

	test('an administrator: the words that clients read, who, and until when', () => {
		const forced = { reason: 'new boxes', by: 'x', byName: 'Ada Admin', until: '2026-03-01T09:00:00.000Z' };
		const breaker = { state: 'OPEN', since: closed.since, forced };
		const [incident] = incidents({ horses: service([failing({ reason: 'CIRCUIT_OPEN', breaker })]) });
		expect(incident?.summary).toBe('horses is closed for maintenance: new boxes');
		expect(incident?.note).toMatch(/^Forced open by Ada Admin, until .+:00\.$/);
		expect(incident?.runbook).toBe('BreakerForced');
	});

	test.each([
		[
			{ kind: 'consul', status: 'DEGRADED', message: 'status.leader: request timed out' },
			'Consul does not respond',
		],
		[{ kind: 'dns', status: 'DEGRADED', message: 'queryA ETIMEOUT' }, 'DNS does not respond'],
		[
			{ kind: 'consul', status: 'DEGRADED', message: 'The registry has lost its data: it lists no service' },
			'Consul has lost its data',
		],
	])('discovery %j: %s, and services without an instance for that reason are part of it', (lost, summary) => {
		const none = { status: 'DOWN', critical: true, reason: 'NO_INSTANCES', instances: [], discovery: {} };
		const [incident, ...others] = incidents({ horses: none, discovery: lost });
		expect([incident?.summary, incident?.runbook, others]).toEqual([summary, 'DiscoveryStale', []]);
	});

	test('services without an instance while the registry responds', () => {
		const none = { status: 'DOWN', critical: false, reason: 'NO_INSTANCES', instances: [], discovery: {} };
		const unlisted = service([up], { status: 'DEGRADED', reason: 'NO_INSTANCES' });
		expect(
			incidents({ horses: none, events: unlisted }).map(({ summary, runbook }) => [summary, runbook]),
		).toEqual([
			['No instance is registered: horses', 'OptionalContextDown'],
			['Consul lists no healthy instance: events', 'ServiceUnlisted'],
		]);
	});

	test('auth down says what that means, and the revocations that are missing for it are not repeated', () => {
		const stale = { ...gateway, status: 'DEGRADED', revocations: { stale: true } };
		const [incident, ...others] = incidents({ auth: service([failing(timeout)]), gateway: stale });
		expect([incident?.summary, others]).toEqual(['auth does not respond', []]);
		expect(incident?.note).toBe(
			'No response within 1000 ms. Nobody can sign in; users who are signed in can go on.',
		);
		expect(summaries({ gateway: stale })).toEqual(['auth does not report revoked tokens']);
	});

	test.each([
		[{ rateLimits: { keptIn: 'redis unavailable: memory' } }, 'Redis does not respond', 'RedisUnavailable'],
		[{ workers: { configured: 2, ready: 1 } }, 'Only 1 of 2 workers ready', 'ProcessRestarting'],
		[{ draining: true }, 'This gateway shuts down', 'GatewayDown'],
	])('the gateway %j: %s', (fault, summary, runbook) => {
		const [incident] = incidents({ gateway: { ...gateway, status: 'DEGRADED', ...fault } });
		expect([incident?.summary, incident?.runbook]).toEqual([summary, runbook]);
	});

	test('callers without the right to details read what is down, one sentence for all', () => {
		const brief = (status: string) => ({ status });
		const components = {
			auth: brief('DOWN'),
			horses: brief('DOWN'),
			discovery: brief('UP'),
			gateway: brief('DEGRADED'),
		};
		expect(incidentsOf({ components }, []).map(({ summary }) => summary)).toEqual(['2 services are down']);
	});
});

describe('the begin of an incident', () => {
	const change = (at: string, from: string, to: string, more: object = {}): Change => {
		return { at: `2026-03-01T${at}.000Z`, context: 'horses', what: 'health', from, to, ...more };
	};
	const down = { horses: service([failing(timeout)]) };
	const at = (time: string) => Date.parse(`2026-03-01T${time}.000Z`);

	test('is when the service left UP, however its state has changed since, and earlier outages do not count', () => {
		const history = [
			change('10:05:00', 'DEGRADED', 'DOWN'),
			change('10:04:00', 'UP', 'DEGRADED'),
			change('09:00:00', 'DOWN', 'UP'),
			change('08:00:00', 'UP', 'DOWN'),
		];
		expect(incidents(down, history)[0]?.since).toBe(at('10:04:00'));
	});

	test('is the first of its services, and unknown if one was down before the gateway started', () => {
		const both = { ...down, events: service([failing(timeout)]) };
		const grouped = [
			change('10:00:02', 'UP', 'DOWN', { context: 'events' }),
			change('10:00:00', 'UP', 'DOWN', { contexts: ['members', 'horses'] }),
		];
		expect(incidents(both, grouped)[0]?.since).toBe(at('10:00:00'));
		expect(incidents(both, grouped.slice(1))[0]?.since).toBeUndefined();
	});

	test('comes with the failure that opened a breaker', () => {
		const open = { reason: 'CIRCUIT_OPEN', breaker: { ...closed, state: 'OPEN' } };
		const opened = change('10:00:00', 'CLOSED', 'OPEN', { what: 'breaker', cause: 'responded with 503' });
		expect(incidents({ horses: service([failing(open)]) }, [opened])[0]?.note).toBe(
			'Last failure: responded with 503.',
		);
	});
});

test('the worst is first', () => {
	const components = {
		ping: service([failing({ status: 'UNKNOWN', reason: 'NO_HEALTH_ENDPOINT' })]),
		horses: service([failing(timeout), up]),
		events: service([failing(refused)]),
	};
	expect(incidents(components).map(({ status }) => status)).toEqual(['DOWN', 'DEGRADED', 'UNKNOWN']);
});
