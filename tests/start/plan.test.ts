import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { readSettings } from '@paddock/service/settings';
import { contexts } from '../../scripts/contexts/contexts.ts';
import { banner, existingPages } from '../../scripts/start/banner.ts';
import {
	gatewayEnvironment,
	newServiceSecrets,
	serviceEnvironment,
	serviceInstances,
} from '../../scripts/start/child-environment.ts';
import { inspectConfig, readConfig } from '../../scripts/start/config.ts';
import { checkPorts, planPorts, planServices, reachableHost } from '../../scripts/start/port-plan.ts';
import { chooseRegistry, findConsul } from '../../scripts/start/registry-choice.ts';
import { StartError } from '../../scripts/start/start-error.ts';
import { settings as authSettings } from '../../services/auth/src/config.ts';

describe('the settings of npm start', () => {
	test('have the documented defaults', () => {
		expect(readConfig({})).toMatchObject({
			host: '127.0.0.1',
			port: 8080,
			opsPrefix: '/actuator',
			dataDir: '.data',
			demo: true,
		});
	});

	test('in production listen on all addresses and have no demo', () => {
		expect(readConfig({ NODE_ENV: 'production' })).toMatchObject({ host: '0.0.0.0', demo: false });
		expect(readConfig({ NODE_ENV: 'production', HOST: '10.0.0.5' }).host).toBe('10.0.0.5');
	});

	test.each([
		['PORT', '0'],
		['PORT', '65526'],
		['PORT', '8080.5'],
		['OPS_PORT', 'x'],
		['NODE_ENV', 'prod'],
		['DEMO', 'yes'],
		['POSTGRES_URL', 'mysql://root@127.0.0.1/db'],
		['CONTEXTS', 'auth,stables'],
		['CONTEXTS', ','],
		['INSTANCES', 'stables=2'],
		['INSTANCES', 'ping'],
		['INSTANCES', 'ping=0'],
		['INSTANCES', 'ping=2,ping=3'],
		['INSTANCES', 'ping=2=3'],
	])('refuse %s=%s by name', (name, value) => {
		const { violations } = inspectConfig({ [name]: value });
		expect(violations).toEqual([{ name, value, rule: expect.any(String) }]);
		expect(() => readConfig({ [name]: value })).toThrow(StartError);
	});

	test('take an empty variable as absent, also beside an invalid one', () => {
		const empty = { PORT: '', INSTANCES: '', DEMO: '' };
		expect(inspectConfig(empty)).toMatchObject({ violations: [], config: { port: 8080, demo: true } });
		const { config, violations } = inspectConfig({ ...empty, OPS_PORT: 'x' });
		expect(violations.map(({ name }) => name)).toEqual(['OPS_PORT']);
		expect(config).toMatchObject({ port: 8080, instances: {}, demo: true });
	});
});

describe('the port plan', () => {
	test('gives each process a port at a fixed offset', () => {
		const CONTEXTS = 'auth,members,masterdata,horses,events,ping';
		const plan = planPorts(readConfig({ PORT: '9000', OPS_PORT: '9500', HOST: '0.0.0.0', CONTEXTS }));
		expect(plan.map(({ port, host, part }) => `${part} ${host}:${port}`)).toEqual([
			'gateway 0.0.0.0:9000',
			'gateway (operations) 0.0.0.0:9500',
			'auth-service 127.0.0.1:9001',
			'members-service 127.0.0.1:9002',
			'masterdata-service 127.0.0.1:9003',
			'horses-service 127.0.0.1:9004',
			'events-service 127.0.0.1:9005',
			'ping-service 127.0.0.1:9006',
			'database 127.0.0.1:9010',
		]);
	});

	test('omits the database with POSTGRES_URL, and contexts that are not selected', () => {
		const plan = planPorts(readConfig({ PORT: '9000', CONTEXTS: 'ping', POSTGRES_URL: 'postgres://a@b/c' }));
		expect(plan.map(({ port }) => port)).toEqual([9000, 9006]);
	});

	test('makes the services listen where a remote Consul can check them', () => {
		const plan = planPorts(readConfig({ HOST: '10.0.0.5', CONSUL_HTTP_ADDR: '10.0.0.9:8500' }));
		expect(plan.find(({ part }) => part === 'ping-service')?.host).toBe('10.0.0.5');
	});

	test('with a port used twice is refused', async () => {
		const plan = planPorts(readConfig({ PORT: '9000', OPS_PORT: '9003' }));
		await expect(checkPorts(plan)).rejects.toThrow(
			/9003 is assigned twice: gateway \(operations\).*masterdata-service/,
		);
	});

	test('gives further instances the ports after all others, and lists them', () => {
		const config = readConfig({
			PORT: '9000',
			INSTANCES: 'masterdata=2,ping=3',
			CONTEXTS: 'auth,masterdata,ping',
		});
		const ports = (name: string) =>
			planServices(config)
				.filter(({ context }) => context.name === name)
				.map(({ portOffset }) => 9000 + portOffset);
		expect(ports('auth')).toEqual([9001]);
		expect(ports('masterdata')).toEqual([9003, 9011]);
		expect(ports('ping')).toEqual([9006, 9012, 9013]);
		expect(planPorts(config).map(({ port }) => port)).toEqual(
			expect.arrayContaining([9003, 9011, 9006, 9012, 9013]),
		);
		expect(serviceInstances(config)).toContain('masterdata-service=http://127.0.0.1:9011');
	});

	test.each([
		['0.0.0.0', '127.0.0.1'],
		['::', '[::1]'],
		['fd00::1', '[fd00::1]'],
		['10.0.0.5', '10.0.0.5'],
	])('maps the address listened on to a reachable one: %s → %s', (host, reachable) => {
		expect(reachableHost(host)).toBe(reachable);
	});
});

describe('the registry', () => {
	const address = '127.0.0.1:8500';
	test.each([
		['CONSUL_HTTP_ADDR before an installed consul', { consulAddress: address }, '/bin/consul', 'external'],
		['an installed consul', {}, '/bin/consul', 'agent'],
		['the static list without Consul', {}, undefined, 'static'],
		[
			'the static list by DISCOVERY',
			{ discovery: 'static', consulAddress: address },
			'/bin/consul',
			'static',
		],
		['the given Consul by DISCOVERY', { discovery: 'consul', consulAddress: address }, undefined, 'external'],
	] as const)('is %s', (_case, config, program, kind) => {
		expect(chooseRegistry(config, program).kind).toBe(kind);
	});

	test('is a file on the PATH, not a folder of that name', async () => {
		const root = await mkdtemp(join(tmpdir(), 'paddock-path-'));
		const [first, second] = [join(root, 'first'), join(root, 'second')];
		await mkdir(join(first, 'consul'), { recursive: true });
		await mkdir(second);
		await writeFile(join(second, 'consul'), '', { mode: 0o755 });
		expect(findConsul([first, second].join(delimiter))).toBe(join(second, 'consul'));
		expect(findConsul(first)).toBeUndefined();
		await rm(root, { recursive: true });
	});

	test('is refused if Consul is required and missing', () => {
		expect(() => chooseRegistry({ discovery: 'consul' }, undefined)).toThrow(/DISCOVERY=consul/);
	});
});

describe('a child’s environment', () => {
	const config = readConfig({
		PORT: '9000',
		ADMIN_EMAIL: 'a@example.org',
		ADMIN_PASSWORD: 'secret',
		POSTGRES_URL: 'postgres://root:secret@127.0.0.1/postgres',
		DATABASE_URL: 'secret',
		LOG_LEVEL: 'debug',
		SERVICE_SECRET: 'secret',
		SERVICE_SECRETS: 'secret',
		OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318',
		OTEL_SERVICE_NAME: 'paddock',
	});
	const registry = { DISCOVERY: 'static', SERVICE_INSTANCES: 'x' };

	test('of the gateway: contains settings but no secrets', () => {
		const environment = gatewayEnvironment(config, registry);
		expect(environment).toMatchObject({
			PORT: '9000',
			LOG_LEVEL: 'debug',
			CONTEXTS: contexts.map(({ name }) => name).join(','),
			...registry,
		});
		expect(JSON.stringify(environment)).not.toContain('secret');
	});

	test('of a service: contains its own database and secrets only', () => {
		const of = (name: string, url?: string) => {
			const context = config.contexts.find((candidate) => candidate.name === name);
			if (!context) throw new Error(name);
			const own = { databaseUrl: url, serviceSecrets: new Map<string, string>() };
			return serviceEnvironment(config, { context, portOffset: context.portOffset }, registry, own);
		};
		expect(of('auth', 'own')).toMatchObject({
			PORT: '9001',
			ADMIN_PASSWORD: 'secret',
			DATABASE_URL: 'own',
			DEMO: 'on',
		});
		expect(of('masterdata', 'own')).not.toHaveProperty('ADMIN_PASSWORD');
		// All processes send traces; each has its own name there.
		for (const environment of [of('ping'), gatewayEnvironment(config, registry)]) {
			expect(environment).toMatchObject({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' });
			expect(environment).not.toHaveProperty('OTEL_SERVICE_NAME');
		}
		expect(JSON.stringify(of('ping'))).not.toMatch(/secret|own/);
	});

	test('contains the files of its own secrets only', () => {
		const files = Object.fromEntries(
			[
				'ADMIN_PASSWORD',
				'POSTGRES_URL',
				'DATABASE_URL',
				'REDIS_URL',
				'SERVICE_SECRET',
				'SERVICE_SECRETS',
			].map((name) => [`${name}_FILE`, `/run/secrets/${name}`]),
		);
		const given = { ...config, environment: files };
		const filesOf = (environment: Readonly<Record<string, string>>) =>
			Object.keys(environment).filter((name) => name.endsWith('_FILE'));
		const own = { databaseUrl: 'own', serviceSecrets: newServiceSecrets() };
		const services = given.contexts.map((context) => {
			const of = { context, portOffset: context.portOffset };
			return [context.name, filesOf(serviceEnvironment(given, of, registry, own))];
		});
		expect(filesOf(gatewayEnvironment(given, registry))).toEqual(['REDIS_URL_FILE']);
		expect(Object.fromEntries(services)).toMatchObject({
			auth: ['ADMIN_PASSWORD_FILE'],
			horses: [],
			ping: [],
		});
	});

	test('of a service that calls others: contains its own secret; auth has all of them', () => {
		const serviceSecrets = newServiceSecrets();
		expect([...serviceSecrets.keys()]).toEqual(
			expect.arrayContaining(['members', 'masterdata', 'horses', 'events']),
		);
		const both = [...serviceSecrets.values(), ...newServiceSecrets().values()];
		expect(new Set(both).size).toBe(both.length);
		const environments = contexts.map((context) => {
			const own = { databaseUrl: 'postgres://a:b@127.0.0.1/c', serviceSecrets };
			const planned = { context, portOffset: context.portOffset };
			return [context.name, serviceEnvironment(config, planned, { DISCOVERY: 'static' }, own)] as const;
		});
		for (const [name, secret] of serviceSecrets) {
			const holders = environments.filter(([, environment]) => JSON.stringify(environment).includes(secret));
			expect(holders.map(([holder]) => holder)).toEqual(['auth', name]);
			expect(holders[1]?.[1]['SERVICE_SECRET']).toBe(secret);
		}
		const ofAuth = readSettings(authSettings, environments[0]?.[1] ?? {});
		expect([...ofAuth.SERVICE_SECRETS]).toEqual(
			[...serviceSecrets].map(([name, secret]) => [`${name}-service`, [secret]]),
		);
	});
});

test('the banner shows no sign-ins without the demo', () => {
	const up = {
		gatewayUrl: 'http://g',
		operationsUrl: 'http://g/actuator',
		registry: 'static list',
		database: 'here',
		databaseUrls: new Map(),
		logs: '/l',
	};
	const config = readConfig({});
	// Explains how to sign in after the demo data was removed.
	const without = banner(config, up, [], undefined);
	expect(without).not.toContain('sign-ins');
	expect(without).toContain('ADMIN_EMAIL');
	for (const none of [{ DEMO: 'off' }, { CONTEXTS: 'masterdata,ping' }]) {
		expect(banner(readConfig(none), up, [], undefined)).not.toContain('ADMIN_EMAIL');
	}
	const shown = banner(config, { ...up, note: 'moved' }, [['OpenAPI', 'http://g/openapi.yaml']], {
		password: 'open sesame',
		users: [{ email: 'a@example.org', roles: ['ADMIN'] }],
	});
	for (const text of ['http://g/actuator/health', 'openapi.yaml', 'moved', 'open sesame', 'a@example.org']) {
		expect(shown).toContain(text);
	}
});

// With OPS_PORT, the banner named no status page.
test('the banner names the pages that do not respond with an error; the status page is on the port of the operations pages', async () => {
	const serving = async (...paths: string[]) => {
		const server = createServer((req, res) => {
			// Regression: without a response in time, as on a busy machine, a page was missing.
			if (req.url === '/openapi.yaml') res.destroy();
			else res.writeHead(paths.includes(req.url ?? '') ? 200 : 404).end();
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
	};
	const [gateway, operations] = [await serving('/docs'), await serving('/status')];
	try {
		const urls = { gatewayUrl: gateway.url, operationsUrl: `${operations.url}/actuator` };
		expect(await existingPages(urls, AbortSignal.timeout(10_000))).toEqual([
			['Explorer', `${gateway.url}/docs`],
			['OpenAPI', `${gateway.url}/openapi.yaml`],
			['Status', `${operations.url}/status`],
		]);
	} finally {
		gateway.server.close();
		operations.server.close();
	}
});
