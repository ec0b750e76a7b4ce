import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { describeWithPrograms } from '../../testing/src/describe-with-programs.ts';
import { eventually } from '../../testing/src/eventually.ts';
import { openKubernetesRegistry, type Registry, type Watch } from '../src/index.ts';
import { type StandInApiServer, startStandInApiServer } from './stand-in-api-server.ts';

describeWithPrograms(['openssl'], 'the Kubernetes registry', () => {
	let directory: string;
	let tls: { key: string; cert: string };
	let server: StandInApiServer;
	const registries: Registry[] = [];
	const inDirectory = (name: string) => join(directory, name);

	beforeAll(async () => {
		directory = await mkdtemp(join(tmpdir(), 'kubernetes-account-'));
		for (const name of ['ca', 'other']) {
			const files = ['-keyout', inDirectory(`${name}.key`), '-out', inDirectory(`${name}.pem`)];
			const names = ['-subj', '/CN=kubernetes', '-addext', 'subjectAltName=IP:127.0.0.1'];
			execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...files, ...names], {
				stdio: 'ignore',
			});
		}
		const read = (name: string) => readFile(inDirectory(name), 'utf8');
		tls = { key: await read('ca.key'), cert: await read('ca.pem') };
		await writeFile(inDirectory('namespace'), 'paddock');
	});
	afterAll(() => rm(directory, { recursive: true, force: true }));
	beforeEach(async () => {
		server = await startStandInApiServer(tls);
		await writeFile(inDirectory('ca.crt'), tls.cert);
		await writeFile(inDirectory('token'), 'first\n');
	});
	afterEach(async () => {
		for (const registry of registries.splice(0)) await registry.close();
		await server.stop();
	});

	function open() {
		const warnings: string[] = [];
		const logger = Object.assign(silentLogger(), { warn: (message: string) => warnings.push(message) });
		const registry = openKubernetesRegistry({
			access: { url: server.url, accountDir: directory },
			logger,
			now: () => new Date(),
			settings: { backoffMinMs: 10, backoffMaxMs: 50, pauseMs: 10 },
		});
		registries.push(registry);
		return { registry, watch: registry.watch('auth-service'), warnings };
	}
	const sees = (watch: Watch, ...addresses: string[]) =>
		eventually(`instances ${addresses}`, () => {
			const { instances, stale } = watch.current();
			return !stale && instances.map(({ address }) => address).join() === addresses.join();
		});

	test('lists the pods of a Service, then follows its events without further lists', async () => {
		server.set(['10.0.0.1', '10.0.0.2']);
		const { registry, watch } = open();
		await sees(watch, '10.0.0.1', '10.0.0.2');
		await eventually('a watch', server.watching);
		server.set(['10.0.0.2', '10.0.0.3']);
		await sees(watch, '10.0.0.2', '10.0.0.3');
		expect(server.lists()).toBe(1);
		expect(registry.status()).toMatchObject({ kind: 'kubernetes', reachable: true, lastError: undefined });
	});

	test('an event in several chunks, and several events in one', async () => {
		server.set(['10.0.0.1']);
		const { watch } = open();
		await eventually('a watch', server.watching);
		const object = (name: string, address: string) => ({
			metadata: { name, resourceVersion: '20' },
			addressType: 'IPv4',
			endpoints: [{ addresses: [address] }],
			ports: [{ port: 8081, name: 'http', padding: 'ü'.repeat(100_000) }],
		});
		server.send({ type: 'ADDED', object: object('auth-service-y', '10.0.0.4') });
		server.send({ type: 'DELETED', object: object('auth-service-x', '10.0.0.1') });
		await sees(watch, '10.0.0.4');
	});

	test('continues from the newest bookmark when the server ends the watch', async () => {
		server.set(['10.0.0.1']);
		const { watch, warnings } = open();
		await eventually('a watch', server.watching);
		const before = watch.current().lastResponseAt;
		server.send({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '77' } } });
		await eventually('the bookmark', () => watch.current().lastResponseAt !== before);
		server.endWatches();
		await eventually('the next watch', () => server.watchedFrom.at(-1) === '77');
		expect([server.lists(), warnings]).toEqual([1, []]);
	});

	test.each(['response', 'event'])(
		'lists again when the version is too old, by a 410 as %s',
		async (kind) => {
			server.set(['10.0.0.1']);
			const { watch, warnings } = open();
			await eventually('a watch', server.watching);
			server.set(['10.0.0.2']);
			await sees(watch, '10.0.0.2');
			server.set(['10.0.0.3'], { silently: true });
			if (kind === 'event') server.send({ type: 'ERROR', object: { code: 410, message: 'too old' } });
			else {
				server.watches('expired once');
				server.endWatches();
			}
			await sees(watch, '10.0.0.3');
			expect([server.lists(), warnings]).toEqual([2, []]);
		},
	);

	test('keeps the last known pods while the server is unreachable, and lists again when it is back', async () => {
		server.set(['10.0.0.1']);
		const { registry, watch } = open();
		await eventually('a watch', server.watching);
		server.cut();
		await eventually('staleness', () => watch.current().stale);
		expect(watch.current().instances).toHaveLength(1);
		expect(registry.status().reachable).toBe(false);
		server.set(['10.0.0.1', '10.0.0.2']);
		server.restore();
		await sees(watch, '10.0.0.1', '10.0.0.2');
		expect(registry.status()).toMatchObject({ reachable: true, lastError: undefined });
	});

	test.each([
		['ended at once', 'auth-service: the watch ended at once'],
		['always expired', 'auth-service: HTTP 410: {"message":"too old resource version"}'],
	] as const)('watches that are %s are failures, which start the back-off', async (behaviour, message) => {
		server.set(['10.0.0.1']);
		server.watches(behaviour);
		const { registry } = open();
		await eventually('the failure', () => registry.status().lastError === message);
	});

	test('uses the token that the kubelet wrote last', async () => {
		server.set(['10.0.0.1']);
		const { registry, watch } = open();
		await eventually('a watch', server.watching);
		server.accept('second');
		server.cut();
		server.restore();
		await eventually('the refusal', () => registry.status().lastError?.includes('HTTP 401') === true);
		expect(registry.status().reachable).toBe(true);
		await writeFile(inDirectory('token'), 'second\n');
		await sees(watch, '10.0.0.1');
	});

	test('refuses a server whose certificate another authority has issued', async () => {
		await writeFile(inDirectory('ca.crt'), await readFile(inDirectory('other.pem')));
		const { registry } = open();
		await eventually('the refusal', () => /self-signed/.test(registry.status().lastError ?? ''));
		expect([server.lists(), registry.status().reachable]).toEqual([0, false]);
	});
});
