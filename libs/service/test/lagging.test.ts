import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { apiError } from '@paddock/contract';
import { remainingMs } from '@paddock/resilience';
import { routesWith } from '@paddock/service';
import { createTestIdentity, startTestService, type TestIdentity, type TestService } from '@paddock/testing';
import { z } from 'zod';

type Read = (signal: AbortSignal) => Promise<string>;

const routes = [
	routesWith<{ readonly read: Read }>('toys')({
		method: 'get',
		path: '/toys',
		operationId: 'listToys',
		summary: 'List toys',
		access: 'public',
		output: z.string().meta({ id: 'Toys', example: 'ball' }),
		message: 'Toys',
		mayLag: true,
		handler: ({ signal }, { read }) => read(signal),
	}),
];
let identity: TestIdentity;
let service: TestService;
let onReplica: Read;
let primaryReads: number;
let outcomes: string[];
let primaryMs: number | undefined;

beforeAll(async () => {
	identity = await createTestIdentity();
	const lagging = {
		admit: () => ({
			deps: { read: (signal: AbortSignal) => onReplica(signal) },
			succeeded: () => void outcomes.push('succeeded'),
			failed: () => void outcomes.push('failed'),
			abandoned: () => void outcomes.push('abandoned'),
		}),
	};
	const read = async () => {
		primaryReads += 1;
		primaryMs = remainingMs();
		return 'of the primary';
	};
	const opened = { routes, deps: { read }, lagging, checks: [], close: async () => {} };
	service = await startTestService({ opened, keys: identity.keys, now: () => new Date() });
});
afterAll(async () => {
	await service.close();
	await identity.keys.close();
});
beforeEach(() => {
	primaryReads = 0;
	outcomes = [];
});

const get = (init: RequestInit = {}) => fetch(`${service.url}/toys`, init);

test.each([
	['an error', new Error('canceled by a conflict with recovery'), 'failed'],
	['a missing record', apiError('NOT_FOUND'), 'succeeded'],
	['a refusal, perhaps before the first query,', apiError('OUT_OF_SCOPE'), 'abandoned'],
])('%s of the replica is repeated with the primary', async (_name, error, outcome) => {
	onReplica = () => Promise.reject(error);
	expect(await (await get()).json()).toMatchObject({ success: true, data: 'of the primary' });
	expect(outcomes).toEqual([outcome]);
});

test('the primary has at least half of the time until the deadline of the caller', async () => {
	let replicaMs: number | undefined;
	onReplica = () => {
		replicaMs = remainingMs();
		return Promise.reject(new Error('no response in time'));
	};
	await get({ headers: { 'X-Request-Deadline-Ms': '60000' } });
	expect(replicaMs).toBeLessThan(30_000);
	expect(primaryMs).toBeGreaterThan(50_000);
});

test('a failure of another service is not repeated', async () => {
	onReplica = () => Promise.reject(apiError('SERVICE_UNAVAILABLE'));
	expect([(await get()).status, primaryReads, outcomes]).toEqual([503, 0, ['abandoned']]);
});

// A caller that only ends its side still waits for the response; a reset says that it has left.
test('a request whose caller has left is not repeated', async () => {
	const caller = connect(Number(new URL(service.url).port), '127.0.0.1');
	const { promise: ended, resolve } = Promise.withResolvers<void>();
	onReplica = async (signal) => {
		caller.resetAndDestroy();
		await once(signal, 'abort');
		resolve();
		throw signal.reason;
	};
	caller.write('GET /toys HTTP/1.1\r\nHost: toys\r\n\r\n');
	await ended;
	await nextTurn();
	expect([primaryReads, outcomes]).toEqual([0, ['abandoned']]);
});
