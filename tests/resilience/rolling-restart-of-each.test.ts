import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type ConsulAgent, eventually, startConsulAgent } from '@paddock/testing';
import { describeWithConsul } from '../../libs/testing/src/describe-with-consul.ts';
import { type System, startSystem } from '../system.ts';
import { type Load, startLoad } from './load.ts';

const contexts = ['auth', 'ping'] as const;

describeWithConsul('with two instances of each service', () => {
	let consul: ConsulAgent;
	let system: System;
	let headers: Record<string, string>;

	beforeAll(async () => {
		consul = await startConsulAgent();
		system = await startSystem({
			consulAddress: consul.address,
			contexts,
			instances: { auth: 2, ping: 2 },
			services: { DRAIN_MS: '1500' },
		});
		for (const context of contexts) await bothAreUp(context);
		headers = { Authorization: `Bearer ${await system.signIn()}` };
	}, 60_000);

	afterAll(async () => {
		await system?.stop();
		await consul?.stop();
	}, 30_000);

	const bothAreUp = (context: (typeof contexts)[number]) =>
		eventually(
			`both instances of ${context} are up`,
			async () => {
				const response = await fetch(`${system.gateway.url}/actuator/health/${context}`);
				const { data } = (await response.json()) as { data: { instances: { status: string }[] } };
				return data.instances.length === 2 && data.instances.every(({ status }) => status === 'UP');
			},
			20_000,
		);
	const get = (path: string) => startLoad(4, () => fetch(system.gateway.url + path, { headers }));
	const restartEach = async (context: (typeof contexts)[number], loads: readonly Load[]): Promise<void> => {
		await eventually('the load runs', () => loads.every((load) => load.count() > 10));
		for (const instance of system.services[context]) {
			expect(await instance.stop()).toBe(0);
			await instance.restart();
			await bothAreUp(context);
		}
	};

	test('those of auth restarted one after the other: no GET and no registration fails, none is done twice', async () => {
		const profile = get('/auth/profile');
		// A repeated request would fail because the address is in use.
		const registrations = startLoad(2, (index) =>
			fetch(`${system.gateway.url}/auth/register`, {
				method: 'POST',
				headers: { 'Content-Type': 'application/json' },
				body: JSON.stringify({
					email: `rider-${index}@example.org`,
					password: 'a canter around the meadow',
					firstName: 'Rosa',
					lastName: 'Weiss',
				}),
			}),
		);
		await restartEach('auth', [profile, registrations]);
		for (const load of [profile, registrations]) {
			const { failures, requests } = await load.stop();
			expect(failures).toEqual([]);
			expect(requests).toBeGreaterThan(50);
		}
		const users = await fetch(`${system.gateway.url}/auth/users?size=1`, { headers });
		const { data } = (await users.json()) as { data: { pagination: { totalElements: number } } };
		expect(data.pagination.totalElements).toBe(registrations.count() + 1);
	}, 90_000);

	test('those of ping restarted one after the other: no GET fails', async () => {
		const ping = get('/api/ping');
		await restartEach('ping', [ping]);
		const { failures, requests } = await ping.stop();
		expect(failures).toEqual([]);
		expect(requests).toBeGreaterThan(100);
	}, 90_000);
});
