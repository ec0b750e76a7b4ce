import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from '@jest/globals';
import { killAfterEach, launch } from './ping-process.ts';

killAfterEach();

describe('a start that cannot be', () => {
	test('for a port in use says so in one line', async () => {
		const taken = createServer().listen(0, '127.0.0.1');
		await once(taken, 'listening');
		const address = taken.address();
		const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
		const { errors, ended } = launch({ PORT: String(port) });
		expect(await ended).toBe(1);
		expect(errors()).toBe(`ping-service: listen EADDRINUSE: address already in use 127.0.0.1:${port}\n`);
		taken.close();
	});

	test("for an address that is not this machine's says so in one line", async () => {
		const { errors, ended } = launch({ PORT: '0', HOST: '192.0.2.1' });
		expect(await ended).toBe(1);
		expect(errors()).toMatch(/^ping-service: listen EADDRNOTAVAIL: [^\n]*192\.0\.2\.1[^\n]*\n$/);
	});

	test('for its settings lists every one that is wrong', async () => {
		const wrong = {
			PORT: '70000',
			HOST: 'not a host',
			LOG_LEVEL: 'loud',
			NODE_ENV: 'staging',
			DISCOVERY: 'guess',
			DRAIN_MS: '-1',
			TRUSTED_PROXIES: '300.1.1.1/99',
			SERVICE_INSTANCES: 'auth-service',
		};
		const { errors, output, ended } = launch(wrong);
		expect(await ended).toBe(1);
		expect(errors()).toMatch(/^ping-service: The settings are not usable:\n/);
		for (const name of Object.keys(wrong)) expect(errors()).toContain(`\n  ${name}: `);
		expect(errors().trimEnd().split('\n')).toHaveLength(1 + Object.keys(wrong).length);
		expect(output()).toBe('');
	});

	test.each<[Record<string, string>, string]>([
		[{ DISCOVERY: 'consul' }, 'CONSUL_HTTP_ADDR: is required with DISCOVERY=consul'],
		[{ CONSUL_HTTP_ADDR: 'unix:///run/consul.sock' }, 'CONSUL_HTTP_ADDR: must be HOST:PORT'],
	])('for %j says which setting', async (env, expected) => {
		const { errors, ended } = launch({ PORT: '0', ...env });
		expect(await ended).toBe(1);
		expect(errors()).toContain(expected);
		expect(errors()).not.toContain('    at ');
	});
});
