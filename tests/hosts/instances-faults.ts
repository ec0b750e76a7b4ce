import { expect, test } from '@jest/globals';
import { eventually } from '@paddock/testing';
import { elapsed } from '../endurance/elapsed.ts';
import type { Hosts } from './hosts.ts';
import { addressOf, hostNames } from './network.ts';
import { causesOf, underLoad } from './under-load.ts';

const faultMs = 15_000;

export function instanceFaults(system: () => Hosts): void {
	test('every process is restarted, one after the other: no GET fails', async () => {
		const hosts = system();
		const { failedGets } = await underLoad(hosts, async () => {
			for (const service of hosts.services.values()) {
				await service.restart();
				await hosts.whole();
			}
			for (const host of ['h1', 'h2'] as const) {
				await hosts.gateways[host].restart();
				await hosts.whole();
				await eventually('the proxy sends it requests', async () => {
					const response = await fetch(`http://${addressOf(host)}:8080/actuator/prometheus`);
					return (await response.text()).includes('route="/api/ping"');
				});
			}
			for (const host of hostNames) {
				await hosts.consul[host].restart();
				await eventually(
					'Consul has a leader',
					async () => (await hosts.consulLeader()) !== undefined,
					60_000,
				);
				await hosts.whole();
			}
		});
		expect(causesOf(failedGets)).toEqual({});
	});

	test('the leader of Consul is killed: no GET fails', async () => {
		const hosts = system();
		const leader = await hosts.consulLeader();
		if (leader === undefined) throw new Error('Consul has no leader');
		const { failedGets } = await underLoad(hosts, async () => {
			await hosts.consul[leader].kill();
			await eventually(
				'another server leads',
				async () => {
					return ![undefined, leader].includes(await hosts.consulLeader());
				},
				60_000,
			);
			await elapsed(faultMs);
			await hosts.consul[leader].restart();
			await hosts.whole();
		});
		expect(causesOf(failedGets)).toEqual({});
	});

	test('Consul has no quorum, and a gateway is restarted: no GET fails', async () => {
		const hosts = system();
		const { failedGets } = await underLoad(hosts, async () => {
			for (const host of ['h1', 'h3'] as const) await hosts.consul[host].kill();
			await hosts.gateways.h2.restart();
			await elapsed(faultMs);
			for (const host of ['h1', 'h3'] as const) await hosts.consul[host].restart();
			await eventually('Consul has a leader', async () => (await hosts.consulLeader()) !== undefined, 60_000);
			await hosts.whole();
		});
		expect(causesOf(failedGets)).toEqual({});
	});
}
