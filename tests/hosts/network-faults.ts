import { expect, test } from '@jest/globals';
import { elapsed } from '../endurance/elapsed.ts';
import type { Hosts } from './hosts.ts';
import { causesOf, underLoad } from './under-load.ts';

const cutMs = 20_000;

export function networkFaults(system: () => Hosts): void {
	test('a host with a gateway and services is cut off for 20 s: no GET fails', async () => {
		const hosts = system();
		const { failedGets } = await underLoad(hosts, async () => {
			await hosts.network.cut('h2');
			await elapsed(cutMs);
			await hosts.network.reconnect('h2');
			await hosts.whole();
		});
		expect(causesOf(failedGets)).toEqual({});
	});

	test('its packets take 200 ms longer and 5 % are lost: no GET fails', async () => {
		const hosts = system();
		const { failedGets } = await underLoad(hosts, async () => {
			hosts.network.slow(200, 5);
			await elapsed(cutMs);
			hosts.network.slow(0, 0);
			await hosts.whole();
		});
		expect(causesOf(failedGets)).toEqual({});
	});
}
