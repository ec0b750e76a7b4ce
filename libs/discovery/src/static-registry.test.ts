import { expect, test } from '@jest/globals';
import { parseServiceInstances } from './service-instances.ts';
import { openStaticRegistry } from './static-registry.ts';

const now = () => new Date('2026-03-01T08:00:00Z');
const registry = openStaticRegistry({
	instances: parseServiceInstances('auth-service=http://127.0.0.1:8081'),
	now,
});

test('a listed service has its instances and is never stale', () => {
	const watch = registry.watch('auth-service');
	expect(watch.responded()).toBe(true);
	expect(watch.current()).toEqual({
		instances: [{ id: '127.0.0.1:8081', address: '127.0.0.1', port: 8081, url: 'http://127.0.0.1:8081' }],
		stale: false,
		unlisted: false,
		lastResponseAt: now(),
		rejected: 0,
	});
});

test('a service that is not listed has no instances, which is a valid response', () => {
	const watch = registry.watch('horses-service');
	expect([watch.responded(), watch.current().instances]).toEqual([true, []]);
});

test('registering changes nothing; registered() says whether the list has the instance', async () => {
	const common = { id: 'x', address: '127.0.0.1', healthPath: '/', checkIntervalMs: 1, checkTimeoutMs: 1 };
	const listed = registry.register({ ...common, name: 'auth-service', port: 8081 });
	const other = registry.register({ ...common, name: 'auth-service', port: 8082 });
	expect([listed.registered(), other.registered()]).toEqual([true, false]);
	await listed.deregister();
	expect(registry.watch('auth-service').current().instances).toHaveLength(1);
	expect(registry.status()).toMatchObject({ kind: 'static', reachable: true });
});
