import { expect, test } from '@jest/globals';
import {
	type ChildService,
	type ConsulAgent,
	createTestDatabase,
	eventually,
	freePorts,
	startChildService,
	startConsulAgent,
} from '@paddock/testing';
import { describeWithConsul } from '../../libs/testing/src/describe-with-consul.ts';

describeWithConsul('a start in the wrong order', () => {
	test('gateway first, Consul second, services last: alive at once, ready by itself', async () => {
		const [gatewayPort = 0, consulPort = 0, authPort = 0, pingPort = 0] = await freePorts(4);
		const registry = {
			CONSUL_HTTP_ADDR: `127.0.0.1:${consulPort}`,
			REGISTRY_CHECK_INTERVAL_MS: '1000',
			DRAIN_MS: '0',
		};
		const database = await createTestDatabase({ name: 'empty', prepare: async () => {} });
		const children: ChildService[] = [];
		let consul: ConsulAgent | undefined;
		const start = async (main: string, port: number, env: Record<string, string>, readyPath: string) => {
			const child = await startChildService({ main, port, env: { ...registry, ...env }, readyPath });
			children.push(child);
			return child;
		};
		try {
			const gateway = await start(
				'gateway/src/main.ts',
				gatewayPort,
				{ CONTEXTS: 'auth,ping', HEALTH_SHARED_MS: '0', RATE_LIMIT_ANONYMOUS: '0' },
				'/actuator/health/liveness',
			);
			const status = async (path: string) => (await fetch(`${gateway.url}${path}`)).status;
			expect(await status('/actuator/health/readiness')).toBe(503);
			const refused = await fetch(`${gateway.url}/api/ping`);
			expect([refused.status, refused.headers.has('Retry-After')]).toEqual([503, true]);
			// A token can't be verified without keys, so it is not reported as invalid.
			const unjudged = await fetch(`${gateway.url}/auth/profile`, {
				headers: { Authorization: 'Bearer a.b.c' },
			});
			expect([401, 503]).toContain(unjudged.status);

			consul = await startConsulAgent({ port: consulPort });
			await eventually(
				'the gateway is ready',
				async () => (await status('/actuator/health/readiness')) === 200,
				15_000,
			);
			expect(await status('/actuator/health')).toBe(503);

			await start('services/ping/src/main.ts', pingPort, {}, '/health');
			await eventually(
				'ping works through the gateway',
				async () => (await status('/api/ping')) === 200,
				15_000,
			);
			await start('services/auth/src/main.ts', authPort, { DATABASE_URL: database.url }, '/health');
			await eventually('everything is up', async () => (await status('/actuator/health')) === 200, 15_000);
		} finally {
			await Promise.all(children.map((child) => child.stop()));
			await consul?.stop();
			await database.drop();
		}
	}, 90_000);
});
