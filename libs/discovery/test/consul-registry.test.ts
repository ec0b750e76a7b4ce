import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from '@jest/globals';
import { startConsulAgent } from '../../testing/src/consul-agent.ts';
import { describeWithConsul } from '../../testing/src/describe-with-consul.ts';
import { eventually } from '../../testing/src/eventually.ts';
import { freePort } from '../../testing/src/free-port.ts';
import { consulScenario, portsOf, sees } from './consul-scenario.ts';
import { startHealthyProcess } from './healthy-process.ts';

describeWithConsul('the Consul registry, against a real agent', () => {
	const scenario = consulScenario();

	test('a registered instance appears to a watch in another process, with a second one beside it', async () => {
		const watch = scenario.registry().watch(scenario.service);
		await eventually('a response', () => watch.responded());
		expect(watch.current()).toMatchObject({ instances: [], stale: false, rejected: 0 });

		const owner = scenario.registry();
		const first = owner.register(scenario.registration('1', 7001));
		await sees(watch, 7001);
		expect(watch.current()).toMatchObject({
			instances: [
				{ id: `${scenario.service}-1`, address: '127.0.0.1', port: 7001, url: 'http://127.0.0.1:7001' },
			],
			stale: false,
			unlisted: false,
			rejected: 0,
		});
		await eventually('the instance knows that it is registered', () => first.registered());
		owner.register(scenario.registration('2', 7002));
		await sees(watch, 7001, 7002);
		expect(owner.status()).toMatchObject({ kind: 'consul', reachable: true, lastError: undefined });
		await eventually('the leader', () => owner.status().leader !== undefined);
	});

	test('Consul calls the health check, and an instance whose check fails leaves the watch', async () => {
		const [sick, well] = [await startHealthyProcess(), await startHealthyProcess()];
		scenario.cleanups.push(sick.stop, well.stop);
		const registry = scenario.registry();
		registry.register(scenario.registration('sick', sick.port, { checkIntervalMs: 100 }));
		registry.register(
			scenario.registration('well', well.port, { checkIntervalMs: 100, healthPath: '/health/liveness' }),
		);
		const watch = registry.watch(scenario.service);
		await sees(watch, sick.port, well.port);
		await eventually('checks of both', () => sick.checked.length > 0 && well.checked.length > 0);
		expect([sick.checked[0], well.checked[0]]).toEqual(['/health', '/health/liveness']);
		sick.sicken();
		await sees(watch, well.port);
	});

	test('deregister removes the instance at once, also when called twice', async () => {
		const registry = scenario.registry();
		const watch = registry.watch(scenario.service);
		const leaving = registry.register(scenario.registration('1', 7001));
		registry.register(scenario.registration('2', 7002));
		await sees(watch, 7001, 7002);
		await Promise.all([leaving.deregister(), leaving.deregister()]);
		expect(leaving.registered()).toBe(false);
		expect(await scenario.idsInAgent()).not.toContain(`${scenario.service}-1`);
		await sees(watch, 7002);
	});

	test('deregister right after register leaves nothing behind', async () => {
		const handle = scenario.registry().register(scenario.registration('1', 7001));
		await handle.deregister();
		expect(await scenario.idsInAgent()).not.toContain(`${scenario.service}-1`);
	});

	test('an instance that was removed or moved is registered again', async () => {
		const registry = scenario.registry();
		const watch = registry.watch(scenario.service);
		registry.register(scenario.registration('1', 7001));
		await sees(watch, 7001);
		await scenario.registerRaw({ ID: `${scenario.service}-1`, Address: '127.0.0.1', Port: 6666 });
		await sees(watch, 6666);
		await sees(watch, 7001);
		await fetch(`http://${scenario.agent.address}/v1/agent/service/deregister/${scenario.service}-1`, {
			method: 'PUT',
		});
		await eventually('the removal to be seen', () => watch.current().stale);
		expect(portsOf(watch)).toEqual([7001]);
		expect(watch.current().unlisted).toBe(true);
		await eventually('the new registration', () => !watch.current().stale);
	});

	test('hostile entries are refused one by one, and the good ones are used', async () => {
		await scenario.registerRaw({ ID: `${scenario.service}-metadata`, Address: '169.254.169.254', Port: 80 });
		await scenario.registerRaw({
			ID: `${scenario.service}-mapped`,
			Address: '::ffff:169.254.169.254',
			Port: 80,
		});
		await scenario.registerRaw({ ID: `${scenario.service}-decimal`, Address: '2852039166', Port: 80 });
		await scenario.registerRaw({ ID: `${scenario.service}-link`, Address: 'fe80::1', Port: 80 });
		await scenario.registerRaw({ ID: `${scenario.service}-no-port`, Address: '127.0.0.1' });
		await scenario.registerRaw({
			ID: `${scenario.service}-path`,
			Address: '127.0.0.1:7001/admin?',
			Port: 80,
		});
		await scenario.registerRaw({ ID: `${scenario.service}-gateway`, Address: '127.0.0.1', Port: 8080 });
		await scenario.registerRaw({ ID: `${scenario.service}-good`, Address: '127.0.0.1', Port: 7001 });
		await scenario.registerRaw({
			ID: `${scenario.service}-name`,
			Address: 'Horses.Example.org.',
			Port: 7002,
		});
		await scenario.registerRaw({ ID: `${scenario.service}-node`, Port: 7003 });
		const isForbidden = (address: string, port: number) => address === '127.0.0.1' && port === 8080;
		const watch = scenario.registry({ isForbidden }).watch(scenario.service);
		await eventually('a response', () => watch.responded());
		expect(
			watch
				.current()
				.instances.map(({ url }) => url)
				.sort(),
		).toEqual(['http://127.0.0.1:7001', 'http://127.0.0.1:7003', 'http://horses.example.org:7002']);
		expect(watch.current().rejected).toBe(7);
	});

	test('the order of the start does not matter: first the watch, then Consul, then the service', async () => {
		const port = await freePort();
		const registry = scenario.registry({ address: `127.0.0.1:${port}` });
		const watch = registry.watch(scenario.service);
		const handle = registry.register(scenario.registration('1', 7001));
		await eventually('a failed try', () => registry.status().lastError !== undefined);
		expect([watch.responded(), handle.registered(), registry.status().reachable]).toEqual([
			false,
			false,
			false,
		]);
		const late = await startConsulAgent({ port });
		scenario.cleanups.push(late.kill);
		await sees(watch, 7001);
		expect([watch.responded(), watch.current().stale]).toEqual([true, false]);
	});

	test('after close() a process exits: no timer, socket or query is left', async () => {
		const script = `
			import { openConsulRegistry } from ${JSON.stringify(new URL('../src/consul-registry.ts', import.meta.url).href)};
			import { silentLogger } from '@paddock/telemetry';
			const registry = openConsulRegistry({
				address: ${JSON.stringify(scenario.agent.address)}, logger: silentLogger(), now: () => new Date(),
			});
			const watch = registry.watch(${JSON.stringify(scenario.service)});
			const handle = registry.register(${JSON.stringify(scenario.registration('1', 7001))});
			watch.onChange(async () => {
				await handle.deregister();
				await registry.close();
				console.log('closed');
			});`;
		const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
			cwd: new URL('..', import.meta.url).pathname,
			stdio: ['ignore', 'pipe', 'inherit'],
		});
		scenario.cleanups.push(async () => void child.kill('SIGKILL'));
		let output = '';
		child.stdout.on('data', (chunk: Buffer) => {
			output += chunk.toString();
		});
		const [exitCode] = await once(child, 'exit', { signal: AbortSignal.timeout(10_000) });
		expect([output.trim(), exitCode]).toEqual(['closed', 0]);
		expect(await scenario.idsInAgent()).not.toContain(`${scenario.service}-1`);
	});
});
