import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import {
	eventually,
	freePort,
	neverRespond,
	patient,
	rawUpstream,
	respondWithStatus,
	startStopwatch,
} from '@paddock/testing';
import {
	anna,
	openBench,
	type PeerBench,
	respondText,
	respondWithData,
	respondWithFailure,
} from './peer-bench.ts';

let bench: PeerBench;
afterEach(() => bench.close());

const failure = async (call: Promise<unknown>): Promise<string> => {
	try {
		await call;
		return 'responded';
	} catch (error) {
		return String(Reflect.get(Object(error), 'code'));
	}
};

describe('a peer that does not respond', () => {
	test('fails after twice the timeout of one attempt', async () => {
		// The first call of a process may take 100 ms more on a busy machine.
		bench = openBench({ timeoutMs: 400 });
		const members = await bench.instance('members-service', neverRespond);
		const startedMs = performance.now();
		const elapsedMs = startStopwatch();
		expect(await failure(bench.call())).toBe('UPSTREAM_TIMEOUT');
		expect(elapsedMs()).toBeLessThan(patient(1_200));
		expect(performance.now() - startedMs).toBeGreaterThanOrEqual(790);
		expect(members.requests).toHaveLength(2);
		expect(await bench.outcomes()).toEqual({ timeout: 1 });
	});

	test('has no known instance', async () => {
		bench = openBench();
		await expect(bench.call()).rejects.toMatchObject({
			code: 'SERVICE_UNAVAILABLE',
			headers: { 'Retry-After': '2' },
		});
		expect(await bench.outcomes()).toEqual({ noInstances: 1 });
	});

	test('is not there any more: nothing listens at its address', async () => {
		bench = openBench();
		bench.registry.set('members-service', [`http://127.0.0.1:${await freePort()}`]);
		expect(await failure(bench.call())).toBe('SERVICE_UNAVAILABLE');
		expect(await bench.outcomes()).toEqual({ unreachable: 1 });
	});

	test.each([502, 503, 504])('returns %s: it is called once more', async (status) => {
		bench = openBench();
		const members = await bench.instance('members-service', respondWithStatus(status) as never);
		expect(await failure(bench.call())).toBe('SERVICE_UNAVAILABLE');
		expect(members.requests).toHaveLength(2);
	});

	test('breaks off in the middle of its response: it is called once more', async () => {
		bench = openBench();
		const broken = await rawUpstream((socket) => {
			socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"succ');
		});
		try {
			bench.registry.set('members-service', [broken.url]);
			expect(await failure(bench.call())).toBe('SERVICE_UNAVAILABLE');
			expect(broken.received).toHaveLength(2);
			expect(await bench.outcomes()).toEqual({ reset: 1 });
		} finally {
			await broken.close();
		}
	});
});

describe('of two instances', () => {
	test.each([
		['is dead', undefined],
		['returns 503', respondWithStatus(503)],
		['never responds', neverRespond],
	] as const)('one %s: every call gets a response by the other', async (_case, response) => {
		// One of the attempts waits for it; no good instance of a busy machine does.
		bench = openBench({ timeoutMs: 2_000 });
		const bad = await bench.instance('members-service', (response ?? neverRespond) as never);
		const good = await bench.instance('members-service', respondWithData(anna));
		if (response === undefined) await bad.close();
		const calls = await Promise.all(Array.from({ length: 6 }, () => bench.call()));
		expect(calls).toEqual(Array(6).fill(anna));
		expect(good.requests).toHaveLength(6);
	});

	test('each gets its share', async () => {
		bench = openBench();
		const both = [
			await bench.instance('members-service', respondWithData(anna)),
			await bench.instance('members-service', respondWithData(anna)),
		];
		for (let call = 0; call < 60; call += 1) await bench.call();
		for (const { requests } of both) expect(requests.length).toBeGreaterThan(10);
	});

	test('a busy one gets no call while the other is idle', async () => {
		bench = openBench({ timeoutMs: 20_000 });
		const held: ServerResponse[] = [];
		const busy = await bench.instance('members-service', (_req, res) => void held.push(res));
		const waiting = bench.call();
		await eventually('the call is in flight', () => held.length === 1);
		const idle = await bench.instance('members-service', respondWithData(anna));
		for (let call = 0; call < 20; call += 1) expect(await bench.call()).toEqual(anna);
		expect([busy.requests.length, idle.requests.length]).toEqual([1, 20]);
		for (const res of held) respondWithData(anna)(res.req, res);
		expect(await waiting).toEqual(anna);
	});

	test('one that the registry no longer lists is not called', async () => {
		bench = openBench();
		const removed = await bench.instance('members-service', respondWithData(anna));
		const stays = await bench.instance('members-service', respondWithData(anna));
		bench.registry.set('members-service', [stays.url]);
		for (let call = 0; call < 3; call += 1) await bench.call();
		expect([removed.requests.length, stays.requests.length]).toEqual([0, 3]);
	});
});

describe('an instance that fails every call', () => {
	const breaker = { windowMs: 10_000, volume: 4, failurePercent: 50, openMs: 300 };

	test('opens its breaker after enough failures, so that calls fail at once, and then gets a single probe', async () => {
		bench = openBench({ breaker });
		let healthy = false;
		const members = await bench.instance('members-service', (req, res) =>
			healthy ? respondWithData(anna)(req, res) : respondWithStatus(503)(req, res, ''),
		);
		expect([await failure(bench.call()), await failure(bench.call())]).toEqual([
			'SERVICE_UNAVAILABLE',
			'SERVICE_UNAVAILABLE',
		]);
		expect(members.requests).toHaveLength(4);
		await expect(bench.call()).rejects.toMatchObject({
			code: 'SERVICE_UNAVAILABLE',
			headers: { 'Retry-After': '1' },
		});
		expect(members.requests).toHaveLength(4);
		expect(await bench.outcomes()).toEqual({ unavailable: 2, circuitOpen: 1 });
		healthy = true;
		await eventually('the probe is sent', async () => (await failure(bench.call())) === 'responded', 3_000);
		expect(members.requests).toHaveLength(5);
		expect(await bench.call()).toEqual(anna);
	});

	// Regression: while the database of a peer was down its breaker opened, and stayed open after the database was back.
	test('because of its database is called again at once, and its breaker stays closed', async () => {
		bench = openBench({ breaker: { ...breaker, openMs: 60_000 } });
		let respond = respondText(503, '{"success":false}', { 'X-Failed-Part': 'database' });
		const members = await bench.instance('members-service', (req, res) => respond(req, res));
		for (let call = 0; call < 4; call += 1) expect(await failure(bench.call())).toBe('SERVICE_UNAVAILABLE');
		// With one retry each.
		expect(members.requests).toHaveLength(8);
		expect(await bench.outcomes()).toEqual({ databaseUnavailable: 4 });
		expect(bench.peers.failing()).toEqual({});
		respond = respondWithData(anna);
		expect(await bench.call()).toEqual(anna);
	});

	test('because of another dependency is not retried: other instances would fail alike', async () => {
		bench = openBench();
		const respond = respondText(503, '{"success":false}', { 'X-Failed-Part': 'auth-service' });
		const members = await bench.instance('members-service', respond);
		expect(await failure(bench.call())).toBe('SERVICE_UNAVAILABLE');
		expect(members.requests).toHaveLength(1);
		expect(await bench.outcomes()).toEqual({ dependencyUnavailable: 1 });
	});

	test('keeps its open breaker when its registration flaps', async () => {
		bench = openBench({ breaker: { ...breaker, openMs: 60_000 } });
		const members = await bench.instance('members-service', respondWithStatus(503) as never);
		for (let call = 0; call < 2; call += 1) await failure(bench.call());
		expect(members.requests).toHaveLength(4);
		for (let flap = 0; flap < 3; flap += 1) {
			bench.registry.set('members-service', []);
			bench.registry.set('members-service', [members.url]);
			await expect(bench.call()).rejects.toMatchObject({
				code: 'SERVICE_UNAVAILABLE',
				headers: { 'Retry-After': expect.stringMatching(/^(?:5\d|60)$/) },
			});
		}
		expect(members.requests).toHaveLength(4);
	});

	test('does not affect calls to the other instance', async () => {
		bench = openBench({ breaker: { ...breaker, openMs: 60_000 } });
		const bad = await bench.instance('members-service', respondWithStatus(503) as never);
		await bench.instance('members-service', respondWithData(anna));
		for (let call = 0; call < 60; call += 1) expect(await bench.call()).toEqual(anna);
		expect(bad.requests).toHaveLength(4);
	});

	test.each([
		['the shape of a response', respondWithData({ other: 'shape' })],
		['the rights of the caller', respondWithFailure(403, 'FORBIDDEN')],
	])('is not blamed for a contract mismatch: %s', async (_case, response) => {
		bench = openBench({ breaker });
		const members = await bench.instance('members-service', response);
		for (let call = 0; call < 10; call += 1) await failure(bench.call());
		expect(members.requests).toHaveLength(10);
	});
});
