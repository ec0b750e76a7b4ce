import { expect, test } from '@jest/globals';
import { type ConsulAgent, eventually, startConsulAgent } from '@paddock/testing';
import { describeWithConsul } from '../../libs/testing/src/describe-with-consul.ts';
import { type System, startSystem } from '../system.ts';
import { startLoad } from './load.ts';
import { allVenueNames } from './venue-names.ts';

describeWithConsul('restarting two instances one after the other', () => {
	test('fails no GET and doubles no POST', async () => {
		let consul: ConsulAgent | undefined;
		let system: System | undefined;
		try {
			consul = await startConsulAgent();
			system = await startSystem({
				consulAddress: consul.address,
				instances: { masterdata: 2 },
				services: { DRAIN_MS: '1500' },
			});
			const { gateway, services } = system;
			await eventually('both instances are known', async () => {
				const response = await fetch(`${gateway.url}/actuator/health/masterdata`);
				const { data } = (await response.json()) as { data: { instances: unknown[] } };
				return data.instances.length === 2;
			});
			const token = await system.signIn();
			const acknowledged = new Set<string>();
			const reads = startLoad(4, () => fetch(`${gateway.url}/api/masterdata/venues?size=5`));
			const writes = startLoad(2, async (index) => {
				const name = `Turnierplatz ${index}-${Math.random().toString(36).slice(2)}`;
				const response = await fetch(`${gateway.url}/api/masterdata/venues`, {
					method: 'POST',
					headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
					body: JSON.stringify({ name, countryCode: 'AT', timeZone: 'Europe/Vienna' }),
				});
				if (response.status === 201) acknowledged.add(name);
				return response;
			});
			await eventually('the load runs', () => reads.count() > 100 && writes.count() > 20);
			for (const instance of services.masterdata) {
				expect(await instance.stop()).toBe(0);
				await instance.restart();
				await eventually('it is back', async () => {
					const response = await fetch(`${gateway.url}/actuator/health/masterdata`);
					const { data } = (await response.json()) as { data: { instances: { status: string }[] } };
					return data.instances.length === 2 && data.instances.every(({ status }) => status === 'UP');
				});
			}
			const read = await reads.stop();
			const written = await writes.stop();
			expect(read.failures).toEqual([]);
			expect(written.failures).toEqual([]);
			const names = await allVenueNames(gateway.url);
			expect(names.filter((name) => name.startsWith('Turnierplatz ')).sort()).toEqual(
				[...acknowledged].sort(),
			);
		} finally {
			await system?.stop();
			await consul?.stop();
		}
	}, 120_000);
});
