import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { hangs, healthBench, says } from './health-bench.ts';

const bench = healthBench();

describe('asking for health', () => {
	test('ends although all instances hang', async () => {
		const hanging = await Promise.all(Array.from({ length: 6 }, () => bench.instance(hangs)));
		const { health } = await bench.start({ horses: hanging.map(({ url }) => url) });
		expect((await health()).status).toBe(503);
		expect(hanging.flatMap(({ asked }) => asked)).toHaveLength(6);
	});

	test('asks all instances at once, so that it takes one time-out however many hang', async () => {
		const waiting: ServerResponse[] = [];
		/** Nobody is answered before all have been asked. */
		const together: RequestListener = (_req, res) => {
			if (waiting.push(res) === 6) for (const each of waiting) each.end('{}');
		};
		const instances = await Promise.all(Array.from({ length: 6 }, () => bench.instance(together)));
		const { health } = await bench.start({
			horses: instances.map(({ url }) => url),
			settings: { HEALTH_TIMEOUT_MS: '5000' },
		});
		expect(await health()).toMatchObject({ status: 200, data: { status: 'UP' } });
	});

	test.each(['0', '1000'])(
		'1000 times at once asks each instance once (shared for %s ms)',
		async (sharedMs) => {
			const slow = await bench.instance((_req, res) => void setTimeout(() => res.end('{}'), 150));
			const { gateway } = await bench.start({ horses: [slow.url], settings: { HEALTH_SHARED_MS: sharedMs } });
			const { view } = gateway.opened.deps.operations;
			const results = await Promise.all(Array.from({ length: 1_000 }, () => view.read()));
			expect(new Set(results).size).toBe(1);
			expect(results[0]?.health.status).toBe('UP');
			expect(slow.asked).toHaveLength(1);
		},
	);

	test('again within the shared time asks nobody, and later everybody again', async () => {
		const one = await bench.instance(says(200));
		const { health } = await bench.start({ horses: [one.url], settings: { HEALTH_SHARED_MS: '300' } });
		await health();
		await health();
		expect(one.asked).toHaveLength(1);
		await eventually(
			'it is asked again',
			async () => {
				await health();
				return one.asked.length === 2;
			},
			2_000,
		);
	});

	test('says how old it is when the registry is lost: DEGRADED, 200, traffic goes on', async () => {
		const upstream = await bench.upstream();
		const { gateway, health, read } = await bench.start({ horses: [upstream.url] });
		gateway.registry.set('horses-service', [upstream.url], { stale: true });
		const answer = await health();
		expect(answer).toMatchObject({ status: 200, data: { status: 'DEGRADED' } });
		expect(answer.data.components).toMatchObject({
			discovery: { status: 'DEGRADED', stale: true, ageSeconds: expect.any(Number), message: 'lost' },
			horses: { status: 'UP', discovery: { stale: true, ageSeconds: expect.any(Number) } },
		});
		expect((await read('/actuator/health/discovery')).status).toBe(200);
		expect((await gateway.send({ path: '/api/horses' })).status).toBe(200);
	});

	test.each(['gateway', 'discovery', 'horses', 'ping'])('for %s alone gives just that', async (component) => {
		const { read } = await bench.start({ horses: [(await bench.instance(says(200))).url] });
		expect(await read(`/actuator/health/${component}`)).toMatchObject({
			status: 200,
			data: { status: 'UP' },
		});
	});

	test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'nothing', 'masterdata', 'HORSES'])(
		'for %s is a 404 that names what there is',
		async (component) => {
			const { read } = await bench.start({ horses: [(await bench.instance(says(200))).url] });
			expect(await read(`/actuator/health/${component}`)).toMatchObject({
				status: 404,
				success: false,
				data: {
					code: 'NOT_FOUND',
					components: ['auth', 'members', 'horses', 'ping', 'discovery', 'gateway'],
				},
			});
		},
	);
});

describe('liveness', () => {
	test('depends on nobody: 200 at once while everything is down and the registry lost', async () => {
		const dead = await bench.instance(hangs);
		const { gateway, read } = await bench.start({ horses: [dead.url] });
		for (const service of ['auth-service', 'members-service', 'ping-service'])
			gateway.registry.set(service, [], { stale: true });
		expect(await read('/actuator/health/liveness')).toMatchObject({ status: 200, data: { status: 'UP' } });
		expect(dead.asked).toHaveLength(0);
	});
});
