import { expect, test } from '@jest/globals';
import { eventually, startSystem } from '@paddock/testing';
import { startLoad } from './load.ts';

test('SIGTERM to the gateway under load: readiness fails first, no accepted request is lost, exit 0', async () => {
	const system = await startSystem({ gateway: { DRAIN_MS: '500' } });
	try {
		const load = startLoad(16, () => fetch(`${system.gateway.url}/api/masterdata/countries?size=20`));
		await eventually('the load runs', () => load.count() > 300);
		const exit = system.gateway.stop();
		await eventually('readiness says so while requests are still served', async () => {
			const answer = await fetch(`${system.gateway.url}/actuator/health/readiness`);
			return answer.status === 503;
		});
		expect(await exit).toBe(0);
		const { statuses, failures } = await load.stop();
		// What came after the door was shut was never accepted: refused, which a client may safely send again.
		expect([...statuses.keys()].sort((a, b) => a - b)).toEqual([0, 200]);
		for (const failure of failures) expect(failure).toContain('ECONNREFUSED');
	} finally {
		await system.stop();
	}
}, 60_000);
