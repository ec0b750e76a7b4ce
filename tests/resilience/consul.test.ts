import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ConsulAgent, eventually, patient, startConsulAgent } from '@paddock/testing';
import { describeWithConsul } from '../../libs/testing/src/describe-with-consul.ts';
import { type System, startSystem } from '../system.ts';
import { startLoad } from './load.ts';

interface Health {
	status: string;
	components: Record<
		string,
		{
			status: string;
			stale?: boolean;
			ageSeconds?: number | null;
			kind?: string;
			instances?: { status: string }[];
		}
	>;
}

describeWithConsul('with a real Consul and two instances of master data', () => {
	let consul: ConsulAgent;
	let system: System;
	let directory: string;
	const countries = () => fetch(`${system.gateway.url}/api/masterdata/countries?size=5`);
	const health = async () => {
		const response = await fetch(`${system.gateway.url}/actuator/health`);
		const { data } = (await response.json()) as { data: Health };
		return { statusCode: response.status, ...data };
	};
	const registered = async (service: string): Promise<number> => {
		const response = await fetch(`http://${consul.address}/v1/health/service/${service}?passing=1`);
		return ((await response.json()) as unknown[]).length;
	};

	beforeAll(async () => {
		consul = await startConsulAgent();
		directory = await mkdtemp(join(tmpdir(), 'last-known-'));
		system = await startSystem({
			consulAddress: consul.address,
			instances: { masterdata: 2 },
			gateway: { LAST_KNOWN_DIR: directory },
		});
		await eventually('both instances are known', async () => {
			return (await health()).components['masterdata']?.instances?.length === 2;
		});
	}, 90_000);

	afterAll(async () => {
		await system?.stop();
		await consul?.stop();
		await rm(directory, { recursive: true, force: true });
	}, 30_000);

	test('both instances receive requests', async () => {
		const before = system.services.masterdata.map((service) => service.output().length);
		for (let index = 0; index < 40; index += 1) expect((await countries()).status).toBe(200);
		system.services.masterdata.forEach((service, index) => {
			expect(service.output().length).toBeGreaterThan(before[index] ?? 0);
		});
	});

	test('one of two killed under load: no GET fails, and the instance is back in use after its return', async () => {
		const [, victim] = system.services.masterdata;
		const load = startLoad(8, countries);
		await eventually('the load runs', () => load.count() > 100);
		await victim?.kill();
		const atDeath = load.count();
		const continued = () => load.count() > atDeath + 300;
		await eventually('the load continued after the kill', continued, 30_000);
		const result = await load.stop();
		expect(result.failures).toEqual([]);
		expect(result.statuses).toEqual(new Map([[200, result.requests]]));

		await victim?.restart();
		const written = victim?.output().length ?? 0;
		await eventually(
			'the instance responds again',
			async () => {
				await countries();
				return (victim?.output().slice(written) ?? '').includes('"/api/masterdata/countries"');
			},
			15_000,
		);
	}, 60_000);

	test('Consul killed: nothing fails, health says stale with a growing age, also after a restart of the gateway; restarted empty: services re-register', async () => {
		const load = startLoad(4, countries);
		await consul.kill();
		await eventually(
			'health says stale',
			async () => (await health()).components['discovery']?.stale === true,
			40_000,
		);
		const first = await health();
		expect([first.statusCode, first.status]).toEqual([200, 'DEGRADED']);
		const firstAge = first.components['discovery']?.ageSeconds ?? 0;
		await eventually(
			'the age grows',
			async () => ((await health()).components['discovery']?.ageSeconds ?? 0) > firstAge,
		);

		expect((await load.stop()).failures).toEqual([]);

		// A restarted gateway had NO_INSTANCES until Consul was back.
		await system.gateway.stop();
		await system.gateway.restart();
		// Without Consul it waits for the keys and the overrides for a limited time only.
		const readiness = `${system.gateway.url}/actuator/health/readiness`;
		await eventually('the gateway is ready', async () => (await fetch(readiness)).status === 200);
		const again = await health();
		expect([again.status, again.components['discovery']?.stale]).toEqual(['DEGRADED', true]);
		expect(again.components['discovery']?.ageSeconds).toBeGreaterThan(firstAge);
		expect((await countries()).status).toBe(200);

		const later = startLoad(4, countries);
		await consul.restart();
		const restartedAt = performance.now();
		await eventually(
			'everything is registered again',
			async () =>
				(await registered('masterdata-service')) === 2 &&
				(await registered('auth-service')) === 1 &&
				(await registered('ping-service')) === 1 &&
				(await registered('gateway')) === 1,
			30_000,
		);
		expect(performance.now() - restartedAt).toBeLessThan(patient(30_000));
		await eventually('health is UP again', async () => (await health()).status === 'UP', 40_000);
		const result = await later.stop();
		expect(result.failures).toEqual([]);
		expect(result.requests).toBeGreaterThan(20);
	}, 120_000);

	test('a service that receives SIGTERM leaves the registry first and loses no request', async () => {
		const [leaver] = system.services.masterdata;
		const load = startLoad(8, countries);
		await eventually('the load runs', () => load.count() > 100);
		expect(await leaver?.stop()).toBe(0);
		expect(await registered('masterdata-service')).toBe(1);
		const result = await load.stop();
		expect(result.failures).toEqual([]);
		await leaver?.restart();
	}, 60_000);

	test('a hostile registration is never contacted', async () => {
		await fetch(`http://${consul.address}/v1/agent/service/register`, {
			method: 'PUT',
			body: JSON.stringify({ ID: 'evil', Name: 'masterdata-service', Address: '169.254.169.254', Port: 80 }),
		});
		await fetch(`http://${consul.address}/v1/agent/service/register`, {
			method: 'PUT',
			body: JSON.stringify({
				ID: 'loop',
				Name: 'masterdata-service',
				Address: '127.0.0.1',
				Port: system.gateway.port,
			}),
		});
		await eventually('both are refused', async () => {
			const response = await fetch(`${system.gateway.url}/actuator/health/masterdata`);
			const { data } = (await response.json()) as { data: { discovery: { rejected: number } } };
			return data.discovery.rejected === 2;
		});
		for (let index = 0; index < 20; index += 1) expect((await countries()).status).toBe(200);
		for (const id of ['evil', 'loop']) {
			await fetch(`http://${consul.address}/v1/agent/service/deregister/${id}`, { method: 'PUT' });
		}
	}, 30_000);
});
