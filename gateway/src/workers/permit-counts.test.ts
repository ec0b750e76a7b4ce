import { expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { type Counted, settle, simulateWorkers } from '../../test/simulated-workers.ts';
import { windowMs } from '../limits/rate-limit.ts';
import { permitCounts } from './permit-counts.ts';
import { createPermitPool } from './permit-pool.ts';

type System = ReturnType<typeof simulateWorkers>;

async function deliverAll(system: System): Promise<void> {
	await settle();
	while (await system.deliver(Math.random));
}

async function send(system: System, worker: number, count: number): Promise<Counted[]> {
	for (let at = 0; at < count; at += 1) {
		system.send(worker);
		await deliverAll(system);
	}
	return system.counted.slice(-count);
}

const endOf = ({ atMs, resetMs }: Counted) => atMs + resetMs;

test('a worker that begins to count alone, and that ends it, continues the window with what remains', async () => {
	const limit = 100;
	const system = simulateWorkers(2, limit);
	await send(system, 0, 30);
	await send(system, 1, 20);
	system.hang(true);
	system.advance(windowMs / 2);
	await send(system, 0, 40);
	system.hang(false);
	await send(system, 1, 40);
	await send(system, 0, 40);
	const own = system.counted.filter(({ worker }) => worker === 0);
	expect(new Set(own.map(endOf)).size).toBe(1);
	const requests = own.map((each) => each.requests);
	expect(requests).toEqual(requests.toSorted((a, b) => a - b));
	expect(own.filter((each) => each.requests <= limit)).toHaveLength(100);
});

test('a window that a worker began alone ends after its minute, although the primary process responds again', async () => {
	const system = simulateWorkers(2, 100);
	system.hang(true);
	const [first] = await send(system, 0, 10);
	system.hang(false);
	const alone = await send(system, 0, 10);
	expect(alone.map(({ requests }) => requests)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
	expect(new Set(alone.map(endOf))).toEqual(new Set(first === undefined ? [] : [endOf(first)]));
	system.advance(windowMs);
	await send(system, 1, 10);
	const [next] = await send(system, 0, 1);
	// The primary process counts those of both workers again.
	expect(next?.requests).toBeGreaterThan(1);
});

test('nothing is counted for the token of an address at its limit, at the worker or in the primary process', async () => {
	const nowMs = () => 0;
	const pool = createPermitPool(nowMs);
	const requested: string[] = [];
	const counts = permitCounts({
		primary: {
			grant: async (requests) => {
				requested.push(...requests.map(({ bucket }) => bucket));
				return requests.map((request) => pool(0, request));
			},
		},
		nowMs,
		logger: silentLogger(),
	});
	const signIn = (token: string) =>
		counts.add([
			{ policy: 'refresh', key: token, limit: 3 },
			{ policy: 'refreshes', key: 'a', limit: 5 },
		]);
	for (let at = 0; at < 5; at += 1) expect((await signIn(`invented ${at}`))[1]?.requests).toBe(at + 1);
	const before = requested.length;
	for (let at = 5; at < 100; at += 1) {
		const [ofToken, ofAddress] = await signIn(`invented ${at}`);
		expect([ofToken?.requests, ofAddress?.requests]).toEqual([0, 6]);
	}
	expect(requested.length).toBe(before);
});

test('a grant that arrives after requests were counted alone does not forget them', async () => {
	const nowMs = () => 0;
	const pool = createPermitPool(nowMs);
	const delayed = Promise.withResolvers<void>();
	const counts = permitCounts({
		primary: {
			grant: async (requests) => {
				if (requests.some(({ bucket }) => bucket === 'user:failing')) throw new Error('no response');
				await delayed.promise;
				return requests.map((request) => pool(0, request));
			},
		},
		nowMs,
		logger: silentLogger(),
	});
	const limit = 5;
	const send = (key: string) => counts.add([{ policy: 'user', key, limit }]);
	const first = send('a');
	await settle();
	await send('failing');
	const alone: number[] = [];
	for (let at = 0; at < limit; at += 1) alone.push((await send('a'))[0]?.requests ?? 0);
	expect(alone).toEqual([1, 2, 3, 4, 5]);
	delayed.resolve();
	expect((await first)[0]?.requests).toBe(limit + 1);
	expect((await send('a'))[0]?.requests).toBe(limit + 1);
});
