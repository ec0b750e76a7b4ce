import { describe, expect, test } from '@jest/globals';
import { eventually, respondWithEnvelope } from '@paddock/testing';
import { counts, freshness, path, type Respond, respondStorable, startCached } from './cached-masterdata.ts';
import { override } from './override-breakers.ts';
import { testBench } from './test-bench.ts';

const bench = testBench();
const start = (respond?: Respond, settings?: Record<string, string>) => startCached(bench, respond, settings);

describe('a stale response', () => {
	test('is served while a newer one is fetched', async () => {
		const { get, clock, masterdata } = await start();
		await get();
		clock.advance(70_000);
		const stale = await get();
		expect([counts(stale), stale.headers.age, stale.headers['cache-status']]).toEqual([
			1,
			'70',
			'Paddock; hit; ttl=-10',
		]);
		await eventually('the newer one is stored', async () => counts(await get()) === 2);
		expect(masterdata.requests).toHaveLength(2);
	});

	test('is confirmed by its ETag', async () => {
		const { get, clock, masterdata, respond } = await start();
		await get();
		respond((res) => res.writeHead(304, { ETag: '"1"', 'Cache-Control': freshness }).end());
		clock.advance(100_000);
		const confirmed = await get();
		expect([confirmed.status, counts(confirmed)]).toEqual([200, 1]);
		expect(confirmed.headers['cache-status']).toBe('Paddock; fwd=stale; fwd-status=304; stored; ttl=60');
		expect(masterdata.requests[1]?.headers['if-none-match']).toBe('"1"');
		expect((await get()).headers['cache-status']).toContain('hit');
	});

	test('replaces a failure, at once after the first, for as long as permitted', async () => {
		const { get, clock, masterdata, respond, gateway } = await start();
		await get();
		respond((res) => respondWithEnvelope(res, 503, null));
		clock.advance(100_000);
		const replaced = await get();
		expect([replaced.status, counts(replaced), replaced.headers.age]).toEqual([200, 1, '100']);
		expect(replaced.headers['cache-status']).toBe(
			'Paddock; fwd=stale; fwd-status=503; detail=stale-if-error; ttl=-40',
		);
		const requests = masterdata.requests.length;
		expect((await get()).headers['cache-status']).toBe('Paddock; hit; detail=stale-if-error; ttl=-40');
		expect(masterdata.requests).toHaveLength(requests);

		const signedIn = await gateway.send({ path });
		expect([signedIn.status, counts(signedIn)]).toEqual([200, 1]);
		clock.advance(600_000);
		expect((await get()).status).toBe(503);
	});

	test('replaces the refusal of a breaker forced open', async () => {
		const { get, clock, gateway } = await start();
		await get();
		expect((await override(gateway, 'masterdata/open', { reason: 'test' })).status).toBe(200);
		clock.advance(100_000);
		expect([(await get()).status, (await get({ path: `${path}/active` })).status]).toEqual([200, 503]);
	});

	test('is not served for a failure of long ago', async () => {
		const { get, clock, respond } = await start();
		await get();
		respond((res) => respondWithEnvelope(res, 503, null));
		clock.advance(100_000);
		expect(counts(await get())).toBe(1);
		respond((res) => respondStorable(res, { count: 99 }));
		clock.advance(300_000);
		expect(counts(await get())).toBe(99);
	});

	// It was served, and the service not called, until the clock showed the time of the failure again.
	test('is not served for a failure of before the clock was set back', async () => {
		const { get, clock, respond } = await start();
		await get();
		respond((res) => respondWithEnvelope(res, 503, null));
		clock.advance(400_000);
		expect(counts(await get())).toBe(1);
		respond((res) => respondStorable(res, { count: 99 }));
		clock.advance(-200_000);
		expect(counts(await get())).toBe(99);
	});

	test('is replaced in the background once the service works again', async () => {
		const { get, clock, respond } = await start();
		await get();
		respond((res) => respondWithEnvelope(res, 503, null));
		clock.advance(100_000);
		await get();
		respond((res) => respondStorable(res, { count: 99 }));
		clock.advance(1_000);
		await eventually('the newer one is stored', async () => counts(await get()) === 99);
	});
});
