import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { anna, openBench, type PeerBench, respondWithData, rider } from './peer-bench.ts';

let bench: PeerBench;
afterEach(() => bench.close());

// Never opens here: the budget alone limits the retries.
const breaker = { windowMs: 10_000, volume: 100_000, failurePercent: 50, openMs: 300 };

/** Collects requests without a response until `fail` gives each of them 503. */
function heldRequests() {
	const held: ServerResponse[] = [];
	return {
		hold: (_req: unknown, res: ServerResponse) => void held.push(res),
		fail: () => {
			for (const res of held.splice(0)) res.writeHead(503).end();
		},
		count: () => held.length,
	};
}

async function outcomesOf(calls: readonly Promise<unknown>[]): Promise<number> {
	let failed = 0;
	for (const { status } of await Promise.allSettled(calls)) if (status === 'rejected') failed += 1;
	return failed;
}

describe('when every call to a service fails', () => {
	test('a fifth of the calls in flight are sent again, not all of them', async () => {
		bench = openBench({ breaker, timeoutMs: 20_000 });
		const requests = heldRequests();
		const members = await bench.instance('members-service', requests.hold);
		let settled = 0;
		const calls = Array.from({ length: 30 }, () => bench.call().finally(() => (settled += 1)));
		const ended = outcomesOf(calls);
		await eventually('all are in flight', () => requests.count() === 30);
		requests.fail();
		await eventually('a fifth is sent again', () => requests.count() + settled === 30);
		expect([requests.count(), settled]).toEqual([6, 24]);
		requests.fail();
		expect(await ended).toBe(30);
		expect(members.requests).toHaveLength(36);
	});

	test('with few calls in flight some are sent again all the same', async () => {
		bench = openBench({ breaker, timeoutMs: 20_000 });
		const requests = heldRequests();
		await bench.instance('members-service', requests.hold);
		let settled = 0;
		const calls = Array.from({ length: 5 }, () => bench.call().finally(() => (settled += 1)));
		const ended = outcomesOf(calls);
		await eventually('all are in flight', () => requests.count() === 5);
		requests.fail();
		await eventually('some are sent again', () => requests.count() + settled === 5);
		expect([requests.count(), settled]).toEqual([3, 2]);
		requests.fail();
		expect(await ended).toBe(5);
	});

	test('calls to another service have their own budget', async () => {
		bench = openBench({ breaker, timeoutMs: 20_000, retryBudget: { percent: 0, min: 1 } });
		const requests = heldRequests();
		await bench.instance('members-service', requests.hold);
		const failing = outcomesOf([bench.call()]);
		await eventually('it is in flight', () => requests.count() === 1);
		requests.fail();
		await eventually('its retry uses the budget', () => requests.count() === 1);
		let attempts = 0;
		await bench.instance('horses-service', (req, res) => {
			attempts += 1;
			if (attempts === 1) res.writeHead(503).end();
			else respondWithData(anna)(req, res);
		});
		const horse = await bench.peers.peer('horses-service').get({
			path: '/internal/horses/lookup',
			schema: rider,
			credentials: 'none',
			context: { requestId: 'request-2', signal: new AbortController().signal },
		});
		expect([horse, attempts]).toEqual([anna, 2]);
		requests.fail();
		expect(await failing).toBe(1);
	});
});

test('a retry after a connection that was never made costs no budget: the other instance serves every call', async () => {
	bench = openBench({ breaker, retryBudget: { percent: 0, min: 0 } });
	const stopped = await bench.instance('members-service', respondWithData(anna));
	await bench.instance('members-service', respondWithData(anna));
	await stopped.close();
	expect(await Promise.all(Array.from({ length: 30 }, () => bench.call()))).toEqual(Array(30).fill(anna));
});

test('a call ends the budget that it used', async () => {
	bench = openBench({ breaker, retryBudget: { percent: 0, min: 1 } });
	let attempts = 0;
	await bench.instance('members-service', (req, res) => {
		attempts += 1;
		if (attempts % 2 === 1) res.writeHead(503).end();
		else respondWithData(anna)(req, res);
	});
	for (let call = 0; call < 4; call += 1) expect(await bench.call()).toEqual(anna);
});
