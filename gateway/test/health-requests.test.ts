import type { RequestListener, ServerResponse } from 'node:http';
import { describe, expect, test } from '@jest/globals';
import { eventually, patientMs, type SettableRegistry } from '@paddock/testing';
import { hangs, healthBench, respondsWith } from './health-bench.ts';

const bench = healthBench();

describe('a health request', () => {
	test('completes although all instances hang', async () => {
		const hanging = await Promise.all(Array.from({ length: 6 }, () => bench.instance(hangs)));
		const settings = { HEALTH_TIMEOUT_MS: '300' };
		const { health } = await bench.start({ horses: hanging.map(({ url }) => url), settings });
		expect((await health()).status).toBe(503);
		expect(hanging.flatMap(({ probes }) => probes)).toHaveLength(6);
	});

	test('probes all instances concurrently, so it takes at most one timeout', async () => {
		const waiting: ServerResponse[] = [];
		/** Responds only when all instances have been probed. */
		const together: RequestListener = (_req, res) => {
			if (waiting.push(res) === 6) for (const each of waiting) each.end('{}');
		};
		const instances = await Promise.all(Array.from({ length: 6 }, () => bench.instance(together)));
		const { health } = await bench.start({ horses: instances.map(({ url }) => url) });
		expect(await health()).toMatchObject({ status: 200, data: { status: 'UP' } });
	});

	test.each(['0', '1000'])(
		'made 1000 times concurrently probes each instance once (HEALTH_SHARED_MS=%s)',
		async (sharedMs) => {
			const slow = await bench.instance((_req, res) => void setTimeout(() => res.end('{}'), 150));
			const { gateway } = await bench.start({ horses: [slow.url], settings: { HEALTH_SHARED_MS: sharedMs } });
			const { view } = gateway.opened.deps.operations;
			const results = await Promise.all(Array.from({ length: 1_000 }, () => view.read()));
			expect(new Set(results).size).toBe(1);
			expect(results[0]?.health.status).toBe('UP');
			expect(slow.probes).toHaveLength(1);
		},
	);

	test('within HEALTH_SHARED_MS of another makes no probe, and a later one does', async () => {
		const one = await bench.instance(respondsWith(200));
		const { health } = await bench.start({
			horses: [one.url],
			settings: { HEALTH_SHARED_MS: patientMs(1_000) },
		});
		await health();
		await health();
		expect(one.probes).toHaveLength(1);
		await eventually('a second probe', async () => {
			await health();
			return one.probes.length === 2;
		});
	});

	test('shows the age of the instances if the registry is lost: DEGRADED, 200, traffic continues', async () => {
		const upstream = await bench.upstream();
		const { gateway, health, read } = await bench.start({ horses: [upstream.url] });
		gateway.registry.set('horses-service', [upstream.url], { stale: true });
		const response = await health();
		expect(response).toMatchObject({ status: 200, data: { status: 'DEGRADED' } });
		expect(response.data.components).toMatchObject({
			discovery: { status: 'DEGRADED', stale: true, ageSeconds: expect.any(Number), message: 'lost' },
			horses: { status: 'UP', discovery: { stale: true, ageSeconds: expect.any(Number) } },
		});
		expect((await read('/actuator/health/discovery')).status).toBe(200);
		expect((await gateway.send({ path: '/api/horses' })).status).toBe(200);
	});

	test('blames the service, not the registry, if the registry lists no healthy instance of it', async () => {
		const upstream = await bench.upstream();
		const { gateway, health } = await bench.start({ horses: [upstream.url] });
		gateway.registry.set('horses-service', [upstream.url], { unlisted: true });
		const response = await health();
		expect(response).toMatchObject({ status: 200, data: { status: 'DEGRADED' } });
		expect(response.data.components).toMatchObject({
			discovery: { status: 'UP', stale: false },
			horses: {
				status: 'DEGRADED',
				reason: 'NO_INSTANCES',
				message: 'The registry lists no healthy instance; the last known ones are used',
				discovery: { stale: false, unlisted: true },
			},
		});
		const service = { upstream: 'horses-service' };
		expect(await gateway.counted('gateway_discovery_stale', {})).toBe(0);
		expect(await gateway.counted('gateway_discovery_unlisted', service)).toBe(1);
		expect(await gateway.counted('gateway_discovery_unlisted', {})).toBe(1);
	});

	const unlistAll = (registry: SettableRegistry, urls: Readonly<Record<string, string>>) => {
		for (const [service, url] of Object.entries(urls)) registry.set(service, [url], { unlisted: true });
	};

	test('blames the registry if it suddenly lists no service although instances respond', async () => {
		const { url } = await bench.instance(respondsWith(200));
		const { gateway, health } = await bench.start({ horses: [url] });
		const services = {
			'auth-service': url,
			'members-service': url,
			'horses-service': url,
			'ping-service': url,
		};
		unlistAll(gateway.registry, services);
		const { components } = (await health()).data;
		expect(components).toMatchObject({
			discovery: {
				status: 'DEGRADED',
				stale: true,
				message: 'The registry has lost its data: it lists no service',
			},
			horses: { status: 'UP', discovery: { stale: true, unlisted: false } },
		});
		expect(await gateway.counted('gateway_discovery_stale', {})).toBe(4);
		expect(await gateway.counted('gateway_discovery_unlisted', {})).toBe(0);
	});

	test('does not blame the registry if it lists no service because all of them fail', async () => {
		const failing = await bench.instance(respondsWith(503));
		const { gateway, health } = await bench.start({ horses: [failing.url], ping: [failing.url] });
		const { url } = failing;
		const services = {
			'auth-service': url,
			'members-service': url,
			'horses-service': url,
			'ping-service': url,
		};
		unlistAll(gateway.registry, services);
		expect((await health()).data.components).toMatchObject({
			discovery: { status: 'UP', stale: false },
			horses: { status: 'DOWN', reason: 'ERROR', discovery: { stale: false, unlisted: true } },
		});
	});

	test.each(['gateway', 'discovery', 'horses', 'ping'])(
		'for component %s returns only that component',
		async (component) => {
			const { read } = await bench.start({ horses: [(await bench.instance(respondsWith(200))).url] });
			expect(await read(`/actuator/health/${component}`)).toMatchObject({
				status: 200,
				data: { status: 'UP' },
			});
		},
	);

	test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'nothing', 'masterdata', 'HORSES'])(
		'for unknown component %s returns 404 with the known ones',
		async (component) => {
			const { read } = await bench.start({ horses: [(await bench.instance(respondsWith(200))).url] });
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
	test('depends on no service: 200 while all services are down and the registry is lost', async () => {
		const hanging = await bench.instance(hangs);
		const { gateway, read } = await bench.start({ horses: [hanging.url] });
		for (const service of ['auth-service', 'members-service', 'ping-service'])
			gateway.registry.set(service, [], { stale: true });
		expect(await read('/actuator/health/liveness')).toMatchObject({ status: 200, data: { status: 'UP' } });
		expect(hanging.probes).toHaveLength(0);
	});
});
