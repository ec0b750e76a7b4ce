import { isIPv4 } from 'node:net';
import { expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { z } from 'zod';
import { readSettings, SettingsError } from '../settings/read-settings.ts';
import { processSettings } from '../settings/settings.ts';
import { advertisedAddress, openRegistry } from './registry.ts';

const defaults = readSettings(z.object(processSettings), {});
const deps = { name: 'gateway', logger: silentLogger(), now: () => new Date() };

test('the configured address is advertised, else the one that is listened on', () => {
	expect(advertisedAddress('0.0.0.0', 'stable.example.org')).toBe('stable.example.org');
	expect(advertisedAddress('127.0.0.1', undefined)).toBe('127.0.0.1');
	expect(advertisedAddress('10.1.2.3', undefined)).toBe('10.1.2.3');
});

test.each(['0.0.0.0', '::'])('%s is not advertised', (host) => {
	const address = advertisedAddress(host, undefined);
	expect([isIPv4(address), address === '0.0.0.0']).toEqual([true, false]);
});

test('of a network, the address that the machine has there is advertised', () => {
	expect(advertisedAddress('0.0.0.0', '127.0.0.0/24')).toBe('127.0.0.1');
	expect(advertisedAddress('0.0.0.0', '0.0.0.0/0')).toBe(advertisedAddress('0.0.0.0', undefined));
	expect(() => advertisedAddress('0.0.0.0', '0.0.0.0/8')).toThrow(
		expect.objectContaining({ message: expect.stringContaining('ADVERTISE_ADDRESS') }),
	);
});

test('without the address of Consul the list of the settings is the registry', async () => {
	const registry = openRegistry(
		{ ...defaults, SERVICE_INSTANCES: 'auth-service=http://127.0.0.1:8081' },
		deps,
	);
	expect(registry.kind).toBe('static');
	const watch = registry.watch('auth-service');
	expect(watch.current().instances.map(({ url }) => url)).toEqual(['http://127.0.0.1:8081']);
	await registry.close();
});

test('DISCOVERY=static wins over the address of Consul', async () => {
	const settings = { ...defaults, DISCOVERY: 'static', CONSUL_HTTP_ADDR: '127.0.0.1:8500' } as const;
	const registry = openRegistry(settings, deps);
	expect(registry.kind).toBe('static');
	await registry.close();
});

test.each([
	[{ DISCOVERY: 'consul' } as const, 'CONSUL_HTTP_ADDR: is required'],
	[{ CONSUL_HTTP_ADDR: 'http://' }, 'CONSUL_HTTP_ADDR: Bad address'],
	[{ SERVICE_INSTANCES: 'auth-service' }, 'SERVICE_INSTANCES: '],
])('%j is a violation of a setting', (own, message) => {
	const settings = { ...defaults, ...own };
	expect(() => openRegistry(settings, deps)).toThrow(SettingsError);
	expect(() => openRegistry(settings, deps)).toThrow(message);
});

// Only entries of Consul were held against it: a gateway with a slip in its list called itself for every request, and
// that one called itself again, until the deadline.
test('a list that names the process itself is a violation of a setting', () => {
	const itself = {
		...deps,
		isForbidden: (address: string, port: number) => address === '127.0.0.1' && port === 8080,
	};
	const list = 'auth-service=http://127.0.0.1:8081,ping-service=http://127.0.0.1:8080';
	expect(() => openRegistry({ ...defaults, SERVICE_INSTANCES: list }, itself)).toThrow(SettingsError);
	expect(() => openRegistry({ ...defaults, SERVICE_INSTANCES: list }, itself)).toThrow(
		'SERVICE_INSTANCES: must not name the process itself: http://127.0.0.1:8080',
	);
	expect(openRegistry({ ...defaults, SERVICE_INSTANCES: 'a=http://127.0.0.1:8081' }, itself).kind).toBe(
		'static',
	);
});
