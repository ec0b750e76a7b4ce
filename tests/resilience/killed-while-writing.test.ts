import { expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { startSystem } from '../system.ts';
import { startLoad } from './load.ts';
import { allVenueNames } from './venue-names.ts';

const rounds = 5;

test('a service that is killed repeatedly while it writes loses no acknowledged write', async () => {
	const system = await startSystem({ gateway: { BREAKER_OPEN_MS: '200' } });
	try {
		const [masterdata] = system.services.masterdata;
		const token = await system.signIn();
		const acknowledged: string[] = [];
		let number = 0;
		for (let round = 0; round < rounds; round += 1) {
			const before = acknowledged.length;
			const writes = startLoad(8, async () => {
				number += 1;
				const name = `Abreiteplatz ${number}`;
				const response = await fetch(`${system.gateway.url}/api/masterdata/venues`, {
					method: 'POST',
					headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
					body: JSON.stringify({ name, countryCode: 'AT', timeZone: 'Europe/Vienna' }),
				});
				if (response.status === 201) acknowledged.push(name);
				return response;
			});
			await eventually('some writes are acknowledged', () => acknowledged.length > before + 20, 20_000);
			await masterdata?.kill();
			const { statuses } = await writes.stop();
			// Each caller got a response: the new record, or that the service is unavailable.
			expect([...statuses.keys()].every((status) => [201, 502, 503].includes(status))).toBe(true);
			await masterdata?.restart();
		}
		await eventually('the gateway has noticed the return', async () => {
			return (await fetch(`${system.gateway.url}/api/masterdata/venues?size=1`)).status === 200;
		});
		const names = await allVenueNames(system.gateway.url);
		const stored = new Set(names);
		expect(stored.size).toBe(names.length);
		expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
	} finally {
		await system.stop();
	}
}, 120_000);
