import { expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { startSystem } from '../system.ts';
import { startLoad } from './load.ts';

test('SIGTERM to the gateway under load: readiness fails first, every request sent until then and during the drain gets a response, exit 0', async () => {
	// Longer than a busy machine takes to notice it and for fifty more requests.
	const system = await startSystem({ gateway: { DRAIN_MS: '10000' } });
	try {
		const load = startLoad(16, () => fetch(`${system.gateway.url}/api/masterdata/countries?size=20`));
		await eventually('the load runs', () => load.count() > 300);
		const exit = system.gateway.stop();
		await eventually('readiness says so while requests are still served', async () => {
			const response = await fetch(`${system.gateway.url}/actuator/health/readiness`);
			return response.status === 503;
		});
		// Like a load balancer: it sends requests until it detects the failing readiness.
		const noticedAt = load.count();
		await eventually('requests are served during the drain', () => load.count() > noticedAt + 50);
		const { requests, statuses, failures } = await load.stop();
		expect(failures).toEqual([]);
		expect(statuses).toEqual(new Map([[200, requests]]));
		expect(await exit).toBe(0);
		await expect(fetch(system.gateway.url)).rejects.toThrow();
	} finally {
		await system.stop();
	}
}, 60_000);
