import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { type DnsServer, startDnsServer } from '../../testing/src/dns-server.ts';
import { eventually } from '../../testing/src/eventually.ts';
import { openDnsRegistry, parseServiceTargets, type Registry, type Watch } from '../src/index.ts';

const settings = {
	refreshMs: 20,
	timeoutMs: 50,
	backoffMinMs: 10,
	backoffMaxMs: 50,
	keepLastKnownMs: 60_000,
};
let server: DnsServer;
const registries: Registry[] = [];
beforeEach(async () => {
	server = await startDnsServer();
});
afterEach(async () => {
	for (const registry of registries.splice(0)) await registry.close();
	await server.stop();
});

function open(instances: string): Registry {
	const registry = openDnsRegistry({
		targets: parseServiceTargets(instances),
		servers: [server.address],
		logger: silentLogger(),
		now: () => new Date(),
		isForbidden: (_, port) => port === 8080,
		settings,
	});
	registries.push(registry);
	return registry;
}
const addressesOf = (watch: Watch) => watch.current().instances.map(({ id }) => id);
const sees = (watch: Watch, ...ids: string[]) =>
	eventually(`instances ${ids}`, () => addressesOf(watch).join() === ids.join());

describe('the DNS registry', () => {
	test('has an instance per address of a name, and follows its records', async () => {
		server.setAddresses('auth.paddock.svc', ['10.0.0.1', '10.0.0.2']);
		const registry = open('auth-service=http://auth.paddock.svc:8081,auth-service=http://10.0.0.9:8081');
		const watch = registry.watch('auth-service');
		await sees(watch, '10.0.0.1:8081', '10.0.0.2:8081', '10.0.0.9:8081');
		expect(registry.status()).toMatchObject({ kind: 'dns', reachable: true, lastError: undefined });
		server.setAddresses('auth.paddock.svc', ['10.0.0.2', '10.0.0.3']);
		await sees(watch, '10.0.0.2:8081', '10.0.0.3:8081', '10.0.0.9:8081');
		expect(watch.current().stale).toBe(false);
	});

	test('uses IPv6 addresses of a name without IPv4 ones', async () => {
		server.setAddresses('six.example.org', ['fd00::1', 'fd00::2']);
		server.setAddresses('both.example.org', ['fd00::1', '10.0.0.1']);
		const registry = open('six=http://six.example.org:8081,both=http://both.example.org:8081');
		await sees(registry.watch('six'), '[fd00::1]:8081', '[fd00::2]:8081');
		await sees(registry.watch('both'), '10.0.0.1:8081');
	});

	test('reads hosts and ports from SRV records of the lowest priority', async () => {
		server.setServices('_http._tcp.auth.svc', [
			{ target: 'pod-1.auth.svc', port: 8081, priority: 1 },
			{ target: 'pod-2.auth.svc', port: 8082, priority: 1 },
			{ target: 'spare.auth.svc', port: 8083, priority: 2 },
		]);
		server.setAddresses('pod-1.auth.svc', ['10.0.0.1']);
		server.setAddresses('pod-2.auth.svc', ['10.0.0.2']);
		server.setAddresses('spare.auth.svc', ['10.0.0.3']);
		await sees(
			open('auth-service=http+srv://_http._tcp.auth.svc').watch('auth-service'),
			'10.0.0.1:8081',
			'10.0.0.2:8082',
		);
	});

	test('refuses addresses that no service can have, and those of the process itself', async () => {
		server.setAddresses('auth', ['169.254.169.254', '10.0.0.1']);
		server.setAddresses('loop', ['10.0.0.1']);
		const registry = open('auth-service=http://auth:8081,loop-service=http://loop:8080');
		const [auth, loop] = [registry.watch('auth-service'), registry.watch('loop-service')];
		await sees(auth, '10.0.0.1:8081');
		await eventually('a response', () => loop.responded());
		expect([auth.current().rejected, addressesOf(loop), loop.current().rejected]).toEqual([1, [], 1]);
	});

	test.each([
		['silent', false, /ETIMEOUT/],
		['SERVFAIL', true, /ESERVFAIL/],
	] as const)('keeps the last known instances while DNS is %s', async (behaviour, reachable, message) => {
		server.setAddresses('auth', ['10.0.0.1']);
		const registry = open('auth-service=http://auth:8081');
		const watch = registry.watch('auth-service');
		await sees(watch, '10.0.0.1:8081');
		server.behave(behaviour);
		server.setAddresses('auth', ['10.0.0.2']);
		await eventually('staleness', () => watch.current().stale);
		expect(registry.status()).toMatchObject({ reachable, lastError: expect.stringMatching(message) });
		expect(addressesOf(watch)).toEqual(['10.0.0.1:8081']);
		server.behave('normal');
		await sees(watch, '10.0.0.2:8081');
		expect(watch.current().stale).toBe(false);
	});

	test('keeps them also when the name no longer exists', async () => {
		server.setAddresses('auth', ['10.0.0.1']);
		const watch = open('auth-service=http://auth:8081').watch('auth-service');
		await sees(watch, '10.0.0.1:8081');
		server.remove('auth');
		await eventually('staleness', () => watch.current().stale);
		expect(watch.current()).toMatchObject({ unlisted: true, instances: [{ id: '10.0.0.1:8081' }] });
	});

	test('a service that is not listed has no instances, without a query', async () => {
		const registry = open('');
		const watch = registry.watch('auth-service');
		await eventually('a response', () => watch.responded());
		expect(registry.status()).toMatchObject({ reachable: false, lastResponseAt: undefined });
		expect([addressesOf(watch), watch.current().stale, server.queries()]).toEqual([[], false, 0]);
	});
});
