import { expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { startLoad } from '../resilience/load.ts';
import { allVenueNames } from '../resilience/venue-names.ts';
import { startSystem } from '../system.ts';
import { describeLong } from './describe-long.ts';

const rounds = 20;

describeLong(process.env, 'a service killed twenty times during writes', () => {
	test('loses no acknowledged write and stores none twice', async () => {
		const system = await startSystem({ gateway: { BREAKER_OPEN_MS: '200' } });
		try {
			const [masterdata] = system.services.masterdata;
			const headers = {
				Authorization: `Bearer ${await system.signIn()}`,
				'Content-Type': 'application/json',
			};
			const acknowledged: string[] = [];
			let number = 0;
			for (let round = 0; round < rounds; round += 1) {
				const before = acknowledged.length;
				const writes = startLoad(4, async () => {
					number += 1;
					const name = `Springplatz ${number}`;
					const response = await fetch(`${system.gateway.url}/api/masterdata/venues`, {
						method: 'POST',
						headers,
						body: JSON.stringify({ name, countryCode: 'AT', timeZone: 'Europe/Vienna' }),
					});
					if (response.status === 201) acknowledged.push(name);
					return response;
				});
				await eventually('writes are acknowledged', () => acknowledged.length > before + 20, 20_000);
				await masterdata?.kill();
				const { statuses } = await writes.stop();
				expect([...statuses.keys()].filter((status) => ![201, 502, 503].includes(status))).toEqual([]);
				await masterdata?.restart();
			}
			await eventually('requests succeed again', async () => {
				return (await fetch(`${system.gateway.url}/api/masterdata/venues?size=1`)).status === 200;
			});
			const names = await allVenueNames(system.gateway.url);
			const stored = new Set(names);
			expect(stored.size).toBe(names.length);
			expect(acknowledged.length).toBeGreaterThan(20 * rounds);
			expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
		} finally {
			await system.stop();
		}
	}, 180_000);
});
