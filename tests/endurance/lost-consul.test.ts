import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { type ConsulAgent, eventually, startConsulAgent } from '@paddock/testing';
import { describeWithConsul } from '../../libs/testing/src/describe-with-consul.ts';
import { type SteadyLoad, startSteadyLoad, statusCounts } from '../resilience/timed-load.ts';
import { type System, startSystem } from '../system.ts';
import { type CountingRelay, countingRelay } from './counting-relay.ts';
import { describeLong } from './describe-long.ts';
import { elapsed } from './elapsed.ts';

const frozenMs = 60_000;
const awayMs = 180_000;

interface Discovery {
	readonly status: string;
	readonly stale: boolean;
	readonly ageSeconds: number | null;
}

describeLong(process.env, 'while Consul is lost', () => {
	describeWithConsul('a system under load', () => {
		let consul: ConsulAgent;
		let ofGateway: CountingRelay;
		let ofServices: CountingRelay;
		let system: System;
		let loads: SteadyLoad[] = [];

		beforeAll(async () => {
			consul = await startConsulAgent();
			[ofGateway, ofServices] = [await countingRelay(consul.port), await countingRelay(consul.port)];
			system = await startSystem({
				consulAddress: ofServices.address,
				gateway: { CONSUL_HTTP_ADDR: ofGateway.address },
			});
		}, 60_000);

		afterEach(async () => {
			await Promise.all(loads.map((load) => load.stop()));
		});

		afterAll(async () => {
			await system?.stop();
			await ofGateway?.stop();
			await ofServices?.stop();
			await consul?.stop();
		}, 30_000);

		const health = async (): Promise<{ statusCode: number; status: string; discovery: Discovery }> => {
			const response = await fetch(`${system.gateway.url}/actuator/health`);
			const { data } = (await response.json()) as {
				data: { status: string; components: { discovery: Discovery } };
			};
			return { statusCode: response.status, status: data.status, discovery: data.components.discovery };
		};
		const isUp = async () => (await health()).status === 'UP';
		const startLoads = async (): Promise<void> => {
			const { port } = system.gateway;
			const headers = { Authorization: `Bearer ${await system.signIn()}` };
			loads = [
				startSteadyLoad(20, { port, path: '/api/masterdata/countries?size=5' }),
				startSteadyLoad(20, { port, path: '/auth/profile', headers }),
				startSteadyLoad(20, { port, path: '/api/ping' }),
			];
		};
		const expectNoFailure = async (): Promise<void> => {
			for (const load of loads) {
				const responses = await load.stop();
				expect(statusCounts(responses)).toEqual({ 200: responses.length });
				expect(responses.length).toBeGreaterThan(1_000);
			}
		};
		const perSecond = ({ calledAtMs }: CountingRelay, fromMs: number, untilMs: number): number =>
			calledAtMs.filter((atMs) => atMs >= fromMs && atMs < untilMs).length / ((untilMs - fromMs) / 1_000);

		test('frozen for a minute: no request fails, few calls are made to it, and health recovers', async () => {
			await startLoads();
			consul.signal('SIGSTOP');
			const frozenAtMs = performance.now();
			await elapsed(frozenMs);
			const during = await health();
			expect(during).toMatchObject({ statusCode: 200, status: 'DEGRADED', discovery: { stale: true } });
			const thawedAtMs = performance.now();
			consul.signal('SIGCONT');
			// Per process; three services share a relay.
			expect(perSecond(ofGateway, frozenAtMs, thawedAtMs)).toBeLessThan(2);
			expect(perSecond(ofServices, frozenAtMs, thawedAtMs) / 3).toBeLessThan(2);
			expect(ofGateway.calledAtMs.some((atMs) => atMs > frozenAtMs + frozenMs / 2)).toBe(true);
			// Calls time out, so connections don't accumulate.
			expect(ofGateway.open()).toBeLessThan(20);
			await eventually('health is UP again', isUp, 30_000);
			await expectNoFailure();
		}, 150_000);

		test('killed for three minutes: no request fails, health shows its age; after a restart without data all register in 30 s', async () => {
			await startLoads();
			await consul.kill();
			const killedAtMs = performance.now();
			const ages: number[] = [];
			while (performance.now() < killedAtMs + awayMs) {
				await elapsed(awayMs / 6);
				const { statusCode, status, discovery } = await health();
				expect([statusCode, status, discovery.stale]).toEqual([200, 'DEGRADED', true]);
				ages.push(discovery.ageSeconds ?? 0);
			}
			expect(ages).toEqual([...ages].sort((a, b) => a - b));
			expect(ages.at(-1)).toBeGreaterThanOrEqual(awayMs / 1_000 - 5);
			expect(perSecond(ofGateway, killedAtMs, performance.now())).toBeLessThan(2);

			await consul.restart();
			const registered = async (service: string): Promise<number> => {
				const response = await fetch(`http://${consul.address}/v1/health/service/${service}?passing=1`);
				return ((await response.json()) as unknown[]).length;
			};
			const names = ['auth-service', 'masterdata-service', 'ping-service', 'gateway'];
			await eventually(
				'all are registered again',
				async () => (await Promise.all(names.map(registered))).every((count) => count === 1),
				30_000,
			);
			await eventually('health is UP again', isUp, 40_000);
			await expectNoFailure();
		}, 300_000);
	});
});
