import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { type ConsulCluster, startConsulCluster } from '../../testing/src/consul-cluster.ts';
import { describeWithConsul } from '../../testing/src/describe-with-consul.ts';
import { eventually } from '../../testing/src/eventually.ts';
import { startTcpProxy } from '../../testing/src/tcp-proxy.ts';
import { openConsulRegistry } from '../src/consul-registry.ts';
import type { Registration } from '../src/registry.ts';
import { sees } from './consul-scenario.ts';

const settings = {
	waitMs: 10_000,
	pauseMs: 50,
	backoffMinMs: 50,
	backoffMaxMs: 300,
	checkRegistrationMs: 100,
	probeMs: 300,
	callTimeoutMs: 1_500,
};

describeWithConsul('three Consul servers', () => {
	let cluster: ConsulCluster;
	beforeAll(async () => {
		cluster = await startConsulCluster();
	}, 40_000);
	afterAll(() => cluster?.stop());

	const registryAt = (address: string) =>
		openConsulRegistry({ address, logger: silentLogger(), now: () => new Date(), settings });
	const registration = (name: string): Registration => ({
		name,
		id: `${name}-1`,
		address: '127.0.0.1',
		port: 7001,
		healthPath: '/health',
		checkIntervalMs: 6_000_000,
		checkTimeoutMs: 1_000,
	});
	/** The nodes whose agents have registered a service. */
	const nodesOf = async (service: string): Promise<string[]> => {
		const url = `http://${cluster.servers[0]?.address}/v1/catalog/service/${service}?consistent`;
		const entries = (await (await fetch(url)).json()) as { Node: string }[];
		return entries.map(({ Node }) => Node);
	};

	// An entry stayed critical for 9 s: behind one balanced address the deregistration reached another agent. And each
	// check of the registration that reached another agent registered the instance there as well.
	test('behind a load balancer an instance is registered once and deregistered at once', async () => {
		const balancer = await startTcpProxy(cluster.servers);
		const registry = registryAt(balancer.address);
		try {
			const handle = registry.register(registration('balanced-service'));
			const watch = registry.watch('balanced-service');
			await sees(watch, 7001);
			for (let cuts = 1; cuts <= 3; cuts += 1) {
				const accepted = balancer.accepted();
				balancer.cut();
				// One for the blocking query, one for the other calls.
				await eventually('two new connections', () => balancer.accepted() >= accepted + 2);
				const checkedAfter = Date.now() + 3 * settings.checkRegistrationMs;
				await eventually(
					'some checks of the registration',
					() => (registry.status().lastResponseAt?.getTime() ?? 0) > checkedAfter && handle.registered(),
				);
			}
			expect(await nodesOf('balanced-service')).toHaveLength(1);
			balancer.cut();
			await handle.deregister();
			expect(await nodesOf('balanced-service')).toEqual([]);
		} finally {
			await registry.close();
			await balancer.stop();
		}
	}, 30_000);

	test('with several addresses the next one is used when one fails, without stale instances', async () => {
		const [first, ...others] = cluster.servers;
		const registry = registryAt(cluster.servers.map(({ address }) => address).join(','));
		const observer = registryAt(others.map(({ address }) => address).join(','));
		try {
			const handle = registry.register(registration('listed-service'));
			const watch = registry.watch('listed-service');
			await sees(watch, 7001);
			await eventually('registered', () => handle.registered());
			expect(await nodesOf('listed-service')).toEqual([first?.name]);
			await first?.kill();
			// Agents of a stopped node are critical: the instance has to register at another one.
			await eventually('registered at another server', async () => {
				const url = `http://${others[0]?.address}/v1/health/service/listed-service?passing=1`;
				const response = await fetch(url);
				return response.ok && ((await response.json()) as unknown[]).length > 0 && handle.registered();
			});
			await eventually(
				'watch and registry are connected',
				() => !watch.current().stale && registry.status().reachable,
			);
			await sees(observer.watch('listed-service'), 7001);
			await handle.deregister();
		} finally {
			await registry.close();
			await observer.close();
		}
	}, 40_000);
});
