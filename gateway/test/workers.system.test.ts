import { once } from 'node:events';
import { totalmem } from 'node:os';
import { afterAll, beforeAll, beforeEach, describe, expect, jest, test } from '@jest/globals';
import {
	createTestIdentity,
	eventually,
	recordingUpstream,
	respondWithEnvelope,
	type TestIdentity,
	type TestUpstream,
} from '@paddock/testing';
import { type GatewayProcess, type Received, sendTo, startGatewayProcess } from './gateway-process.ts';
import { type StandInAuth, standInAuth } from './stand-in-auth.ts';

const size = 2;
const startMsMax = 60_000;
/** From the first of these signals to the second, an environment variable is too long for the system to start a process. */
const toggleRefusal = 'SIGUSR2';
const refusals = `process.on('${toggleRefusal}', () => {
	process.env.TOO_LONG = process.env.TOO_LONG ? '' : 'x'.repeat(1_000_000);
})`;
let identity: TestIdentity;
let auth: StandInAuth;
let upstream: TestUpstream;
let gateway: GatewayProcess;
let respond: 'at once' | 'when released' | 'failing';
let held: (() => void)[];

// Three processes start, on a machine that others use.
jest.setTimeout(90_000);

beforeAll(async () => {
	identity = await createTestIdentity();
	auth = await standInAuth(identity.jwks);
	upstream = await recordingUpstream((_req, res) => {
		const end = (): void => respondWithEnvelope(res, 200, {});
		if (respond === 'at once') end();
		else if (respond === 'failing') res.socket?.destroy();
		else held.push(end);
	});
	gateway = await startGatewayProcess({
		NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(refusals)}`,
		WORKERS: String(size),
		CONTEXTS: 'auth,ping',
		SERVICE_INSTANCES: `auth-service=${auth.url},ping-service=${upstream.url}`,
		RATE_LIMIT_ANONYMOUS: '0',
		HEALTH_SHARED_MS: '0',
		HEALTH_TIMEOUT_MS: '10000',
		SESSION_CHECK_TIMEOUT_MS: '10000',
		DRAIN_MS: '300',
		EVENT_LOOP_DELAY_MAX_MS: '60000',
		BREAKER_OPEN_MS: '500',
		// Neither held requests nor hundreds of connections at once must time out on a slow machine.
		CONNECT_TIMEOUT_MS: '30000',
		RESPONSE_TIMEOUT_MS: '30000',
		DEADLINE_MS: '60000',
		BREAKER_WINDOW_MS: '90000',
	});
	await ready(size);
});
beforeEach(() => {
	respond = 'at once';
	held = [];
});
afterAll(async () => {
	gateway.child.kill('SIGKILL');
	await upstream.close();
	await auth.close();
});

const send = (path: string, sent?: Parameters<typeof sendTo>[2]) => sendTo(gateway, path, sent);
const times = <T>(count: number, make: (index: number) => T): T[] =>
	Array.from({ length: count }, (_, at) => make(at));
const ping = (count: number) => Promise.all(times(count, () => send('/api/ping')));
const statuses = (responses: readonly Received[]) => responses.map(({ status }) => status);

async function read<T>(path: string): Promise<T> {
	return (JSON.parse((await send(path)).text) as { data: T }).data;
}

const ready = (count: number) =>
	eventually(
		`${count} workers are ready`,
		async () => {
			const { workers } = await read<{ workers: { ready: number } }>('/actuator/health/gateway');
			return workers.ready === count;
		},
		startMsMax,
	);

async function breakerState(): Promise<string | undefined> {
	const { breakers } = await read<{ breakers: { context: string; state: string }[] }>('/actuator/breakers');
	return breakers.find(({ context }) => context === 'ping')?.state;
}

/** The sum of a counter over the series with this text. */
async function counted(name: string, labels: string): Promise<number> {
	const { text } = await send('/actuator/prometheus');
	const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`) && line.includes(labels));
	return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

interface LogLine {
	readonly timestamp: string;
	readonly message: string;
	readonly path?: string;
	readonly pid?: number;
	readonly replacedInMs?: number;
}

/** @throws SyntaxError if a line is torn */
const log = () =>
	gateway
		.stdout()
		.split('\n')
		.filter((line) => line !== '')
		.map((line) => JSON.parse(line) as LogLine);
const logged = (message: string) => log().filter((line) => line.message === message);
const workerIds = () => logged('worker listening').flatMap(({ pid }) => pid ?? []);

function kill(worker: number | undefined): void {
	// Process 0 would be the whole group of the test.
	if (worker === undefined) throw new Error('No such worker has been logged.');
	process.kill(worker, 'SIGKILL');
}

describe('a gateway with workers', () => {
	test('shows one view of the breakers and applies an override at every worker', async () => {
		respond = 'failing';
		await ping(60);
		await eventually('the breaker is open', async () => (await breakerState()) === 'OPEN');
		const { items } = await read<{ items: { what: string; from: string }[] }>('/actuator/health/history');
		expect(items.filter(({ what, from }) => what === 'breaker' && from === 'CLOSED')).toHaveLength(1);
		respond = 'at once';
		const admin = identity.sign({ roles: ['ADMIN'] });
		const override = (name: string) =>
			send(`/actuator/breakers/ping/${name}`, { method: 'POST', token: admin, body: { reason: 'test' } });
		expect((await override('close')).status).toBe(200);
		await eventually('all workers forward', async () =>
			statuses(await ping(8)).every((status) => status === 200),
		);
		expect((await override('open')).status).toBe(200);
		await eventually('no worker forwards', async () =>
			statuses(await ping(8)).every((status) => status === 503),
		);
		expect((await override('auto')).status).toBe(200);
		// The responses may all be of one worker; the state is the worst of any.
		await eventually('the breakers of all workers decide again and are closed', async () => {
			const closed = statuses(await ping(8)).every((status) => status === 200);
			return closed && (await breakerState()) === 'CLOSED';
		});
	});

	test('counts and logs every request once, whichever worker serves it', async () => {
		const isPing = 'route="/api/ping"';
		const [requests, durations] = ['gateway_requests_total', 'gateway_request_duration_seconds_count'];
		const before = [await counted(requests, isPing), await counted(durations, isPing)];
		expect(new Set(statuses(await ping(300)))).toEqual(new Set([200]));
		const after = [await counted(requests, isPing), await counted(durations, isPing)];
		expect(after).toEqual(before.map((count) => count + 300));
		expect(await counted('gateway_requests_in_flight_max', '')).toBe(size * 2_000);
		expect(await counted('gateway_response_cache_bytes_max', '')).toBe(size * 33_554_432);
		expect(await counted('gateway_workers_ready', '')).toBe(size);
		// The machine's memory is there once.
		expect(await counted('process_memory_limit_bytes', '')).toBeLessThanOrEqual(totalmem());
		// Of all routes: a page that the primary process serves is not counted by the worker as well.
		const all = await counted(requests, '');
		expect(await counted(requests, '')).toBe(all + 1);
		await eventually(
			'all lines are written, none twice',
			() => log().filter(({ path }) => path === '/api/ping').length === after[0],
		);
	});

	test('redirects the former address of health at every worker', async () => {
		expect(new Set(statuses(await Promise.all(times(8, () => send('/health')))))).toEqual(new Set([308]));
	});

	test('replaces killed workers with back-off; only the requests in flight fail, and no count is lost', async () => {
		await ping(50);
		const before = await counted('gateway_requests_total', 'route="/api/ping"');
		respond = 'when released';
		const inFlight = times(12, () =>
			send('/api/ping').then(
				({ status }) => status,
				() => 0,
			),
		);
		await eventually('they are in flight', () => held.length === 12);
		const [victim] = workerIds();
		kill(victim);
		respond = 'at once';
		// Connections that are not accepted yet, too.
		expect(new Set(statuses(await ping(100)))).toEqual(new Set([200]));
		for (const release of held) release();
		const ended = await Promise.all(inFlight);
		expect(ended.every((status) => status === 200 || status === 0)).toBe(true);
		await ready(size);
		expect(await counted('gateway_requests_total', 'route="/api/ping"')).toBeGreaterThanOrEqual(before + 100);
		kill(workerIds().at(-1));
		await eventually('it is replaced again', () => workerIds().length === size + 2, startMsMax);
		const [first = 0, second = 0] = logged('worker exited').map(({ replacedInMs = 0 }) => replacedInMs);
		expect(second).toBeGreaterThanOrEqual(first);
	});

	// Node.js throws such errors of the system (E2BIG, ENOMEM) instead of emitting them, which ended the primary process.
	test('tries again with back-off if the system refuses to start a worker', async () => {
		gateway.child.kill(toggleRefusal);
		kill(workerIds().at(-1));
		await eventually('it is refused twice', () => logged('worker not started').length >= 2, startMsMax);
		expect(new Set(statuses(await ping(8)))).toEqual(new Set([200]));
		gateway.child.kill(toggleRefusal);
		await ready(size);
	});

	test('exits with 1 if the port is in use', async () => {
		const second = await startGatewayProcess({ WORKERS: '2', CONTEXTS: 'ping', PORT: String(gateway.port) });
		if (second.child.exitCode === null) await once(second.child, 'exit');
		expect(second.child.exitCode).toBe(1);
		expect(second.stderr()).toMatch(/EADDRINUSE[\s\S]*worker 1 did not start: exit code 1/);
	});

	test('serves the requests in flight on SIGTERM and leaves no process', async () => {
		respond = 'when released';
		const startedAt = new Date().toISOString();
		const inFlight = times(10, () => send('/api/ping'));
		// The primary process waits for the check of the session.
		auth.session = 'silent';
		const checks = auth.sessionChecks();
		const page = send('/actuator/loggers/gateway', {
			method: 'POST',
			body: { level: null },
			token: identity.sign({ roles: ['ADMIN'] }),
		});
		await eventually('they are in flight', () => held.length === 10 && auth.sessionChecks() > checks);
		const stopped = gateway.stop();
		await eventually('all workers drain', () => logged('shutting down').length === size + 1);
		for (const release of held) release();
		auth.session = 'live';
		auth.endSilence();
		expect(new Set(statuses(await Promise.all(inFlight)))).toEqual(new Set([200]));
		expect((await page).status).toBe(200);
		expect(await stopped).toBe(0);
		expect(gateway.stderr()).toBe('');
		for (const pid of workerIds()) expect(() => process.kill(pid, 0)).toThrow(/ESRCH/);
		const isServed = ({ path, timestamp }: LogLine) => path === '/api/ping' && timestamp > startedAt;
		expect(log().filter(isServed)).toHaveLength(10);
	});
});
