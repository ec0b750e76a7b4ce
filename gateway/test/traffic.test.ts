import { describe, expect, test } from '@jest/globals';
import { respondOk, respondWithStatus } from '@paddock/testing';
import { openTraffic } from '../src/operations/traffic.ts';
import { testBench } from './test-bench.ts';

const bench = testBench();
const path = '/actuator/traffic';

/** A gateway whose horses respond with 200, 500, 200, 500, … */
async function start(settings: Record<string, string> = {}) {
	let count = 0;
	const horses = await bench.upstream((...args) => {
		count += 1;
		(count % 2 === 0 ? respondWithStatus(500) : respondOk)(...args);
	});
	const gateway = await bench.gateway([horses.url], settings);
	const { traffic } = gateway.opened.deps.operations;
	return { gateway, traffic };
}

describe('the traffic page', () => {
	test('has requests, errors and percentiles of each interval and context, and the codes of refusals', async () => {
		const { gateway, traffic } = await start();
		for (let round = 0; round < 4; round += 1)
			await gateway.send({ method: 'POST', path: '/api/horses', body: '{}' });
		for (let round = 0; round < 3; round += 1) await gateway.send({ path: '/nowhere' });
		await gateway.send({ path: '/api/horses', token: 'x' });
		await traffic.settle();
		await gateway.send({ path: '/api/horses' });
		await traffic.settle();
		await traffic.settle();
		const { status, headers, json } = await gateway.send({ path });
		expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
		const { data } = json();
		const at = expect.stringMatching(/Z$/);
		const [p50Ms, p95Ms, seconds] = [expect.any(Number), expect.any(Number), expect.any(Number)];
		const idle = { at, seconds, requests: 0, errors: 0, p50Ms: null, p95Ms: null };
		expect(data).toMatchObject({
			intervalMs: 10_000,
			intervalsMax: 90,
			contexts: {
				horses: [
					{ at, seconds, requests: 5, errors: 2, p50Ms, p95Ms },
					{ at, seconds, requests: 1, errors: 0, p50Ms, p95Ms },
					idle,
				],
				members: [idle, idle, idle],
			},
			refusals: [
				{ code: 'ROUTE_NOT_FOUND', count: 3 },
				{ code: 'INVALID_TOKEN', count: 1 },
			],
		});
		expect(await gateway.counted('gateway_refusals_total', { code: 'ROUTE_NOT_FOUND' })).toBe(3);
	});

	test('forgets the oldest interval, and its refusals, beyond the maximum', async () => {
		const { gateway } = await start();
		const { contexts, logger, operations, now } = gateway.opened.deps;
		const traffic = openTraffic(
			{ scrape: operations.scrape, contexts, logger, now },
			{ intervalMs: 60_000, intervalsMax: 2 },
		);
		await gateway.send({ path: '/nowhere' });
		for (let round = 0; round < 2; round += 1) await traffic.settle();
		expect(traffic.refusals()).toEqual([{ code: 'ROUTE_NOT_FOUND', count: 1 }]);
		await traffic.settle();
		expect([traffic.read()['horses']?.length, traffic.refusals()]).toEqual([2, []]);
		traffic.close();
	});

	test('is empty for callers who may not see details', async () => {
		const { gateway, traffic } = await start({ HEALTH_DETAILS: 'authorized' });
		await gateway.send({ path: '/nowhere' });
		await traffic.settle();
		const member = (await gateway.send({ path })).json();
		expect(member.data).toMatchObject({ contexts: {}, refusals: [] });
		const token = gateway.identity.sign({ roles: ['FEDERATION_OFFICER'] });
		const officer = (await gateway.send({ path, token })).json();
		expect(officer.data).toMatchObject({ refusals: [{ code: 'ROUTE_NOT_FOUND', count: 1 }] });
	});
});
