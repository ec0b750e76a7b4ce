import { expect, test } from '@jest/globals';
import { describeWithConsul } from '../../testing/src/describe-with-consul.ts';
import { eventually } from '../../testing/src/eventually.ts';
import { patient } from '../../testing/src/patient.ts';
import { consulScenario, portsOf, sees } from './consul-scenario.ts';

describeWithConsul('the Consul registry, while a real agent fails', () => {
	const scenario = consulScenario();

	test('a killed Consul is noticed at once; the instances stay, stale with their age', async () => {
		const registry = scenario.registry();
		const watch = registry.watch(scenario.service);
		await scenario.registerRaw({ ID: `${scenario.service}-1`, Address: '127.0.0.1', Port: 7001 });
		await sees(watch, 7001);
		const vouchedAt = watch.current().lastResponseAt;
		await scenario.agent.kill();
		await eventually('the loss to be noticed', () => watch.current().stale, 1_000);
		expect(registry.status()).toMatchObject({ reachable: false, leader: undefined });
		expect(registry.status().lastError).toMatch(
			/^Consul (?:refuses connections|has closed the connection)$|socket hang up/,
		);
		expect(watch.current()).toMatchObject({
			instances: [{ port: 7001 }],
			stale: true,
			unlisted: false,
			lastResponseAt: vouchedAt,
		});

		// Restarted without its data it returns 200 and []: the instances stay, although no agent lists them.
		await scenario.agent.restart();
		await eventually('contact', () => registry.status().reachable && registry.status().leader !== undefined);
		expect(watch.current()).toMatchObject({
			instances: [{ port: 7001 }],
			stale: true,
			lastResponseAt: vouchedAt,
		});
		await scenario.registerRaw({ ID: `${scenario.service}-1`, Address: '127.0.0.1', Port: 7009 });
		await sees(watch, 7009);
		expect(watch.current().stale).toBe(false);
	});

	test('after an empty restart services register again automatically, and instances are known throughout', async () => {
		const registry = scenario.registry();
		const handle = registry.register(scenario.registration('1', 7001));
		const watch = scenario.registry().watch(scenario.service);
		await sees(watch, 7001);
		const changes: { instances: number; stale: boolean }[] = [];
		watch.onChange(({ instances, stale }) => changes.push({ instances: instances.length, stale }));
		await scenario.agent.kill();
		await eventually('the loss to be noticed', () => watch.current().stale, 1_000);
		await scenario.agent.restart();
		await eventually('the new registration', async () =>
			(await scenario.idsInAgent()).includes(`${scenario.service}-1`),
		);
		await eventually('the watch has it', () => handle.registered() && !watch.current().stale);
		expect(changes).toEqual([
			{ instances: 1, stale: true },
			{ instances: 1, stale: false },
		]);
	});

	test('a frozen Consul makes stale and unreachable within the time-outs; deregistering stays short', async () => {
		const registry = scenario.registry();
		const watch = registry.watch(scenario.service);
		const handle = registry.register(scenario.registration('1', 7001));
		await sees(watch, 7001);
		scenario.agent.signal('SIGSTOP');
		try {
			await eventually('unreachable', () => !registry.status().reachable, 4_000);
			await eventually('stale', () => watch.current().stale, 4_000);
			expect(portsOf(watch)).toEqual([7001]);
			const leaving = scenario.registry().register(scenario.registration('2', 7002));
			const startedMs = performance.now();
			await leaving.deregister();
			expect(performance.now() - startedMs).toBeLessThan(patient(2_500));
		} finally {
			scenario.agent.signal('SIGCONT');
		}
		await eventually('recovery', () => !watch.current().stale && registry.status().reachable);
		await eventually('the registration', () => handle.registered());
	});

	// It was noticed after the time-out of a blocking query, 28 s.
	test('a frozen Consul is noticed within 5 s with the default settings, in words', async () => {
		const registry = scenario.registry({ settings: {} });
		const watch = registry.watch(scenario.service);
		await scenario.registerRaw({ ID: `${scenario.service}-1`, Address: '127.0.0.1', Port: 7001 });
		await sees(watch, 7001);
		scenario.agent.signal('SIGSTOP');
		try {
			await eventually('stale', () => watch.current().stale, 5_000);
			expect(registry.status()).toMatchObject({
				reachable: false,
				lastError: 'Consul does not respond within 2 s',
			});
		} finally {
			scenario.agent.signal('SIGCONT');
		}
		await eventually('recovery', () => !watch.current().stale && registry.status().reachable);
	});
});
