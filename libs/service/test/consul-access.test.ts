import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createLogger } from '@paddock/telemetry';
import { type ConsulAgent, eventually, freePort, startConsulAgent } from '@paddock/testing';
import { z } from 'zod';
import { describeWithConsul } from '../../testing/src/describe-with-consul.ts';
import { openRegistry } from '../src/process/registry.ts';
import { readSettings } from '../src/settings/read-settings.ts';
import { processSettings } from '../src/settings/settings.ts';

const run = promisify(execFile);
const token = '6f1f3e5c-1f0e-4a7e-9f53-0d1a7c1e9b11';

describeWithConsul('a Consul that requires TLS, a client certificate and a token', () => {
	let directory: string;
	let agent: ConsulAgent;
	let port: number;
	const inDirectory = (name: string) => join(directory, name);

	beforeAll(async () => {
		directory = await mkdtemp(join(tmpdir(), 'consul-tls-'));
		const tls = (...args: string[]) => run('consul', ['tls', ...args], { cwd: directory });
		await tls('ca', 'create');
		await tls('cert', 'create', '-server');
		await tls('cert', 'create', '-client');
		await writeFile(inDirectory('token'), `${token}\n`);
		port = await freePort();
		const configuration = `
			ports { https = ${port} }
			verify_incoming_https = true
			ca_file = "${inDirectory('consul-agent-ca.pem')}"
			cert_file = "${inDirectory('dc1-server-consul-0.pem')}"
			key_file = "${inDirectory('dc1-server-consul-0-key.pem')}"
			acl { enabled = true, default_policy = "deny", tokens { master = "${token}" } }`;
		agent = await startConsulAgent({ configuration, token });
	}, 40_000);
	afterAll(async () => {
		await agent?.stop();
		await rm(directory, { recursive: true, force: true });
	});

	async function open(own: Record<string, string>) {
		const logger = createLogger({ service: 'gateway', level: 'info' });
		for (const transport of logger.transports) transport.silent = true;
		const lines: string[] = [];
		logger.on('data', (info: Record<symbol, string>) => lines.push(info[Symbol.for('message')] ?? ''));
		const settings = {
			CONSUL_HTTP_ADDR: `127.0.0.1:${port}`,
			CONSUL_HTTP_SSL: 'true',
			CONSUL_HTTP_TOKEN_FILE: inDirectory('token'),
			CONSUL_CACERT: inDirectory('consul-agent-ca.pem'),
			CONSUL_CLIENT_CERT: inDirectory('dc1-client-consul-0.pem'),
			CONSUL_CLIENT_KEY: inDirectory('dc1-client-consul-0-key.pem'),
			...own,
		};
		const read = readSettings(z.object(processSettings), settings);
		return {
			registry: openRegistry(read, { name: 'gateway', logger, now: () => new Date() }),
			lines,
		};
	}
	const registration = {
		name: 'horses-service',
		id: 'horses-1',
		address: '127.0.0.1',
		port: 7001,
		healthPath: '/health',
		checkIntervalMs: 6_000_000,
		checkTimeoutMs: 1_000,
	};

	test('is used with the variables of its own tools, also by another name in the certificate', async () => {
		const { registry, lines } = await open({ CONSUL_TLS_SERVER_NAME: 'server.dc1.consul' });
		try {
			const handle = registry.register(registration);
			const watch = registry.watch('horses-service');
			await eventually('the instance', () => watch.current().instances.length === 1);
			expect(registry.status()).toMatchObject({ reachable: true });
			await handle.deregister();
			expect(lines.join('\n')).not.toContain(token);
		} finally {
			await registry.close();
		}
	});

	test.each([
		['CONSUL_TLS_SERVER_NAME', 'consul.example.org', /does not match certificate/],
		['CONSUL_CACERT', '', /certificate/],
		['CONSUL_NAMESPACE', 'paddock', /HTTP 400/], // The free edition has no namespaces.
	])('with %s=%j the failure is reported', async (name, value, message) => {
		const { registry, lines } = await open({ [name]: value });
		try {
			registry.register(registration);
			registry.watch('horses-service');
			await eventually('a failure', () => lines.some((line) => message.test(line)));
			expect(lines.join('\n')).not.toContain(token);
		} finally {
			await registry.close();
		}
	});

	test('without the token nothing can be registered', async () => {
		const { registry } = await open({ CONSUL_HTTP_TOKEN_FILE: '' });
		try {
			registry.register(registration);
			await eventually('a failure', () => /HTTP 403/.test(registry.status().lastError ?? ''));
		} finally {
			await registry.close();
		}
	});
});
