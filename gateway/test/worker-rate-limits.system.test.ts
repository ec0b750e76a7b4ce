import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import {
	createTestIdentity,
	eventually,
	patient,
	recordingUpstream,
	startStopwatch,
	type TestIdentity,
	type TestUpstream,
} from '@paddock/testing';
import { type GatewayProcess, sendTo, startGatewayProcess } from './gateway-process.ts';
import { type StandInAuth, standInAuth } from './stand-in-auth.ts';

const limit = 100;
const windowMs = 60_000;
let identity: TestIdentity;
let auth: StandInAuth;
let upstream: TestUpstream;
let gateway: GatewayProcess;

// Three processes start, on a machine that others use.
jest.setTimeout(90_000);

beforeAll(async () => {
	identity = await createTestIdentity();
	auth = await standInAuth(identity.jwks);
	upstream = await recordingUpstream();
	gateway = await startGatewayProcess({
		WORKERS: '2',
		CONTEXTS: 'auth,ping',
		SERVICE_INSTANCES: `auth-service=${auth.url},ping-service=${upstream.url}`,
		RATE_LIMIT_ANONYMOUS: '0',
		RATE_LIMIT_USER: String(limit),
	});
});
afterAll(async () => {
	gateway.child.kill('SIGKILL');
	await upstream.close();
	await auth.close();
});

async function ping(token: string, agent?: Agent) {
	const { status, headers, connection } = await sendTo(gateway, '/api/ping', {
		token,
		...(agent && { agent }),
	});
	return { status, remaining: Number(headers['ratelimit-remaining']), connection };
}

type Received = Awaited<ReturnType<typeof ping>>;

const times = <T>(count: number, make: (index: number) => T): T[] =>
	Array.from({ length: count }, (_, at) => make(at));
const withStatus = (responses: readonly Received[], wanted: number) =>
	responses.filter(({ status }) => status === wanted).length;
/** In how many windows requests may have been counted: a busy machine can take longer than one. */
const windowsSince = (startedAt: number) => 1 + Math.floor((performance.now() - startedAt) / windowMs);
const workerIds = () =>
	[...gateway.stdout().matchAll(/"message":"worker listening".*?"pid":(\d+)/g)].map(([, pid]) => Number(pid));

describe('rate limits of a gateway with workers', () => {
	test('admit the limit over all workers, less a tenth at most, and what remains only decreases', async () => {
		const token = identity.sign();
		const agents = times(8, () => new Agent({ keepAlive: true, maxSockets: 1 }));
		const startedAt = performance.now();
		const received = await Promise.all(
			agents.map(async (agent) => {
				const responses: Received[] = [];
				while (responses.length < 40) responses.push(await ping(token, agent));
				return responses;
			}),
		);
		for (const agent of agents) agent.destroy();
		const admitted = withStatus(received.flat(), 200);
		const windows = windowsSince(startedAt);
		expect(admitted).toBeLessThanOrEqual(limit * windows);
		expect(admitted).toBeGreaterThanOrEqual(0.9 * limit);
		expect(withStatus(received.flat(), 429)).toBe(8 * 40 - admitted);
		if (windows > 1) return;
		for (const responses of received) {
			expect(responses.at(-1)?.remaining).toBe(0);
			// A busy worker moves connections.
			for (const ofOne of Map.groupBy(responses, ({ connection }) => connection).values()) {
				const remaining = ofOne.map((each) => each.remaining);
				expect(remaining).toEqual(remaining.toSorted((a, b) => b - a));
			}
		}
	});

	test('are not exceeded while a worker with permits hangs, and the others respond', async () => {
		const token = identity.sign();
		const startedAt = performance.now();
		// Over enough connections that both workers get some.
		const before = await Promise.all(times(20, () => ping(token)));
		expect(withStatus(before, 200)).toBe(20);
		const [worker = 0] = workerIds();
		process.kill(worker, 'SIGSTOP');
		const during = await Promise.all(times(120, () => ping(token)));
		process.kill(worker, 'SIGCONT');
		const after = await Promise.all(times(40, () => ping(token)));
		const admitted = withStatus([...before, ...during, ...after], 200);
		const windows = windowsSince(startedAt);
		expect(admitted).toBeLessThanOrEqual(limit * windows);
		// That worker may have lost some of its permits, or use them now.
		expect(admitted).toBeGreaterThanOrEqual(limit - 50);
		if (windows === 1) expect(withStatus(after, 429)).toBeGreaterThanOrEqual(40 - limit / 10);
	});

	test('are counted by the worker alone while the primary process hangs', async () => {
		const { pid = 0 } = gateway.child;
		const elapsedMs = startStopwatch();
		process.kill(pid, 'SIGSTOP');
		const token = identity.sign();
		expect((await ping(token)).status).toBe(200);
		expect(elapsedMs()).toBeGreaterThan(500);
		const agents = times(8, () => new Agent({ keepAlive: true, maxSockets: 1 }));
		await Promise.all(agents.map((agent) => ping(token, agent)));
		const withoutWaitMs = startStopwatch();
		await Promise.all(agents.map((agent) => ping(token, agent)));
		expect(withoutWaitMs()).toBeLessThan(patient(900));
		for (const agent of agents) agent.destroy();
		process.kill(pid, 'SIGCONT');
		await eventually('it counts again', async () => {
			await ping(identity.sign());
			return gateway.stdout().includes('rate limits are counted by the primary process again');
		});
		expect(gateway.stdout()).toContain('rate limits are counted by this worker alone');
	});
});
