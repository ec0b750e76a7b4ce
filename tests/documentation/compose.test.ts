import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { settingNames as gatewaySettings } from '../../gateway/src/config/config.ts';
import { describeWithPrograms } from '../../libs/testing/src/describe-with-programs.ts';
import { settingsOf as serviceSettingsOf } from '../../scripts/contexts/context-modules.ts';
import { contexts } from '../../scripts/contexts/contexts.ts';
import { composeText, envExampleText } from '../../scripts/docs/deployment/compose-text.ts';
import { version } from '../../scripts/docs/openapi-text.ts';

interface Container {
	command?: string[];
	environment?: Record<string, string>;
	ports?: string[];
	volumes?: string[];
	depends_on?: Record<string, { condition: string }>;
	healthcheck?: { test: string[] };
	build?: string;
	networks?: string[];
	logging?: { options: Record<string, string> };
	image?: string;
	security_opt?: string[];
	cap_drop?: string[];
	cap_add?: string[];
}

const root = fileURLToPath(new URL('../../', import.meta.url));
const text = readFileSync(`${root}docker-compose.yml`, 'utf8');
const compose = parse(text, { merge: true }) as {
	services: Record<string, Container>;
	networks: object;
	volumes: object;
};
const containers = Object.entries(compose.services);
const ours = containers.filter(([, container]) => container.build !== undefined);

const settingsOf: Record<string, readonly string[]> = { gateway: gatewaySettings };
for (const context of contexts)
	settingsOf[context.name] = Object.keys((await serviceSettingsOf(context)).shape);

describe('docker-compose.yml', () => {
	test('and .env.example are generated from the contexts of now', () => {
		expect(text).toBe(composeText(version));
		expect(readFileSync(`${root}.env.example`, 'utf8')).toBe(envExampleText());
	});

	test('it has the gateway, every service, and their dependencies', () => {
		const services = execFileSync('ls', [`${root}services`], { encoding: 'utf8' })
			.trim()
			.split('\n');
		expect(ours.map(([name]) => name).sort()).toEqual(['gateway', ...services].sort());
		expect(Object.keys(compose.services)).toEqual(
			expect.arrayContaining(['consul', 'postgres', 'prometheus', 'alertmanager', 'grafana']),
		);
		expect(contexts.map(({ name }) => name).sort()).toEqual(services.sort());
	});

	test.each(containers)('%s has no capability that it does not need, and gains none', (name, container) => {
		expect([container.security_opt, container.cap_drop]).toEqual([['no-new-privileges:true'], ['ALL']]);
		// Their entry points start as root, own the volume and change the account.
		const starting = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'SETGID', 'SETUID'];
		const allowed = ['postgres', 'consul'].includes(name) ? starting : [];
		expect((container.cap_add ?? []).filter((capability) => !allowed.includes(capability))).toEqual([]);
	});

	test('images of others have a whole version, and all whose digest is known have it', () => {
		const others = containers.filter(([, { build }]) => build === undefined);
		for (const [name, { image = '' }] of others) {
			expect(image).toMatch(/:v?\d+\.\d+(\.\d+)?(@sha256:[0-9a-f]{64})?$/);
			expect([name, image.includes('@sha256:')]).toEqual([name, name !== 'consul']);
		}
	});

	// The default of Docker is no limit.
	test.each(containers)('the log of %s is limited', (_name, { logging }) => {
		expect(logging?.options).toEqual({
			'max-size': expect.stringMatching(/^\d+m$/),
			'max-file': expect.stringMatching(/^\d$/),
		});
	});

	test.each(ours)('%s is started from a file that exists, with settings that exist', (name, container) => {
		const [program, ...words] = container.command ?? [];
		const file = words.at(-1) ?? '';
		expect(program).toBe('node');
		expect(existsSync(`${root}${file}`)).toBe(true);
		expect(file).toContain(name === 'gateway' ? 'gateway/' : `services/${name}/`);
		const unknown = Object.keys(container.environment ?? {}).filter(
			(key) => !settingsOf[name]?.includes(key),
		);
		expect(unknown).toEqual([]);
	});

	test('the gateway has the same options of Node.js however it is started, and Node.js accepts them', () => {
		const options = (words: readonly string[] = []) => words.filter((word) => word.startsWith('--'));
		const { scripts } = JSON.parse(readFileSync(`${root}gateway/package.json`, 'utf8'));
		const image = /^CMD (\[.*\])$/m.exec(readFileSync(`${root}Dockerfile`, 'utf8'))?.[1] ?? '[]';
		const own = options(scripts.start.split(' '));
		expect(own.length).toBeGreaterThan(0);
		expect(options(compose.services['gateway']?.command)).toEqual(own);
		expect(options(JSON.parse(image))).toEqual(own);
		expect(spawnSync(process.execPath, [...own, '--eval', '0'], { encoding: 'utf8' })).toMatchObject({
			status: 0,
			stderr: '',
		});
	});

	test.each(ours)(
		'%s has a health check at the port that it listens on, at an address that it has',
		(name, container) => {
			const [, program, script = '', url = ''] = container.healthcheck?.test ?? [];
			expect([program, existsSync(`${root}${script}`)]).toEqual(['node', true]);
			const [, port, path] = /^http:\/\/127\.0\.0\.1:(\d+)(\/[\w/]+)$/.exec(url) ?? [];
			expect(port).toBe(container.environment?.[name === 'gateway' ? 'OPS_PORT' : 'PORT']);
			expect(path).toBe(name === 'gateway' ? '/actuator/health/liveness' : '/health');
		},
	);

	test('only the gateway is published, at its own port; its operations pages and Grafana to this machine', () => {
		const published = containers.filter(([, container]) => container.ports !== undefined);
		expect(published.map(([name]) => name)).toEqual(['gateway', 'grafana']);
		expect(compose.services['grafana']?.ports).toEqual(['127.0.0.1:3000:3000']);
		expect(compose.services['gateway']?.ports).toEqual([
			expect.stringMatching(/^\$\{PADDOCK_PORT:-8080\}:8080$/),
			expect.stringMatching(/^127\.0\.0\.1:\$\{PADDOCK_OPS_PORT:-8079\}:8079$/),
		]);
		expect(compose.services['gateway']?.environment?.['PORT']).toBe('8080');
	});

	test('the operations pages have a port of their own that only this machine reaches, where Prometheus finds its targets', () => {
		const { environment } = compose.services['gateway'] ?? {};
		const opsPort = environment?.['OPS_PORT'] ?? '';
		expect(opsPort).toMatch(/^\d+$/);
		expect(compose.services['gateway']?.ports?.filter((port) => port.endsWith(`:${opsPort}`))).toEqual([
			expect.stringMatching(/^127\.0\.0\.1:/),
		]);
		expect(environment?.['HEALTH_DETAILS']).toBe('authorized');
		const scraped = readFileSync(`${root}deploy/prometheus/prometheus.yml`, 'utf8');
		expect(scraped).toContain(`url: http://gateway:${opsPort}/actuator/prometheus/targets`);
	});

	test('Grafana and Prometheus are provisioned for each other and for Alertmanager', () => {
		const provisioned = (file: string) =>
			parse(readFileSync(`${root}deploy/grafana/provisioning/${file}`, 'utf8'));
		const { datasources } = provisioned('datasources/prometheus.yml') as { datasources: { url: string }[] };
		const hosts = datasources.map(({ url }) => new URL(url).hostname);
		expect(hosts).toEqual(['prometheus', 'alertmanager']);
		expect(hosts.filter((host) => compose.services[host] === undefined)).toEqual([]);
		const { providers } = provisioned('dashboards/paddock.yml') as {
			providers: { options: { path: string } }[];
		};
		const mounted = compose.services['grafana']?.volumes?.map((volume) => volume.split(':')[1] ?? '') ?? [];
		for (const { options } of providers)
			expect(mounted.some((target) => target.startsWith(`${options.path}/`))).toBe(true);
		const scraped = readFileSync(`${root}deploy/prometheus/prometheus.yml`, 'utf8');
		expect(scraped).toContain("targets: ['alertmanager:9093']");
	});

	test('every container that another one waits for exists and has a health check', () => {
		for (const [, container] of containers) {
			for (const [name, { condition }] of Object.entries(container.depends_on ?? {})) {
				expect(condition).toBe('service_healthy');
				expect(compose.services[name]?.healthcheck).toBeDefined();
			}
		}
	});

	test('mounted files, volumes and networks exist', () => {
		for (const [, container] of containers) {
			for (const volume of container.volumes ?? []) {
				const [source = ''] = volume.split(':');
				expect(source.startsWith('./') ? existsSync(`${root}${source}`) : source in compose.volumes).toBe(
					true,
				);
			}
			expect(container.networks?.every((network) => network in compose.networks)).toBe(true);
		}
	});

	test('no secret has a default, and a missing one is reported by name', () => {
		const all = [...text.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1] ?? '');
		const references = all.filter(
			(reference) => !/^(?:PADDOCK_PORT|PADDOCK_OPS_PORT|RUNBOOK_BASE):-/.test(reference),
		);
		expect(references.length).toBeGreaterThan(0);
		for (const reference of references) expect(reference).toMatch(/^[A-Z_]+:\?set [A-Z_]+$/);
	});

	test('.env.example lists every variable, without values', () => {
		const example = readFileSync(`${root}.env.example`, 'utf8');
		const listed = example.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
		const wanted = new Set([...text.matchAll(/\$\{(\w+):\?/g)].map((match) => `${match[1]}=`));
		expect(new Set(listed)).toEqual(wanted);
	});

	test('a service that has a secret is a client that auth knows', () => {
		const known = compose.services['auth']?.environment?.['SERVICE_SECRETS']?.split(',') ?? [];
		const own = ours.flatMap(([name, { environment = {} }]) => {
			const { SERVICE_SECRET: secret } = environment;
			return secret === undefined ? [] : [`${name}-service=${secret}`];
		});
		expect(known.length).toBeGreaterThan(0);
		expect(own.sort()).toEqual(known.sort());
		for (const [name, container] of ours) {
			const asks = settingsOf[name]?.includes('SERVICE_SECRET') === true;
			expect([name, container.environment?.['SERVICE_SECRET'] !== undefined]).toEqual([name, asks]);
		}
	});

	test('each context has a database and a role of its own, created by the script that the server runs', () => {
		const { environment: passwords = {} } = compose.services['postgres'] ?? {};
		const secret = (name: string) => `secret-of-${name}`;
		const created = createdDatabases(
			Object.fromEntries(Object.keys(passwords).map((name) => [name, secret(name)])),
		);
		const wanted = ours.flatMap(([name, container]) => {
			const url = container.environment?.['DATABASE_URL'];
			if (url === undefined) return [];
			expect(url).toContain(`//paddock_${name}:`);
			expect(url.endsWith(`/paddock_${name}`)).toBe(true);
			const variable = /\$\{(\w+):/.exec(url)?.[1] ?? '';
			return [`role=paddock_${name} password=${secret(variable)}`];
		});
		expect(wanted.length).toBeGreaterThan(4);
		expect(created).toEqual(wanted.sort());
	});
});

/** Runs the script with these passwords and a `psql` that prints its variables. */
function createdDatabases(passwords: Record<string, string>): string[] {
	const folder = mkdtempSync(join(tmpdir(), 'paddock-psql-'));
	try {
		const psql =
			'#!/bin/sh\nfor word in "$@"; do case "$word" in role=*|password=*) printf "%s " "$word";; esac; done; echo\n';
		writeFileSync(join(folder, 'psql'), psql, { mode: 0o755 });
		const env = { ...passwords, PATH: `${folder}:${process.env['PATH']}` };
		const printed = execFileSync('sh', [`${root}deploy/postgres/create-databases.sh`], {
			env,
			encoding: 'utf8',
		});
		return printed.split('\n').flatMap((line) => (line === '' ? [] : [line.trim()]));
	} finally {
		rmSync(folder, { recursive: true });
	}
}

describeWithPrograms(['docker-compose'], 'docker-compose config', () => {
	const secrets = [...new Set([...text.matchAll(/\$\{(\w+):\?/g)].map(([, name = '']) => name))];
	const config = (env: Record<string, string>) =>
		spawnSync('docker-compose', ['--file', `${root}docker-compose.yml`, 'config', '--quiet'], {
			env: { PATH: process.env['PATH'], ...env },
			encoding: 'utf8',
		});

	test('accepts the file once every secret is set', () => {
		const result = config(Object.fromEntries(secrets.map((name) => [name, 'x'])));
		expect([result.status, result.stderr]).toEqual([0, '']);
	});

	// One stands for all: every reference has the same form, see above, and each run takes a second.
	test('refuses to start without a secret, and names it', () => {
		const [missing = '', ...rest] = secrets;
		const result = config(Object.fromEntries(rest.map((name) => [name, 'x'])));
		expect(result.status).not.toBe(0);
		expect(result.stderr).toContain(missing);
	});
});
