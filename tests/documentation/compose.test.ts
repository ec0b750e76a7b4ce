import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { settingNames as gatewaySettings } from '../../gateway/src/config.ts';
import { contextTable } from '../../gateway/src/contexts.ts';
import { settingNames as authSettings } from '../../services/auth/src/config.ts';
import { settingNames as eventsSettings } from '../../services/events/src/config.ts';
import { settingNames as horsesSettings } from '../../services/horses/src/config.ts';
import { settingNames as masterdataSettings } from '../../services/masterdata/src/config.ts';
import { settingNames as membersSettings } from '../../services/members/src/config.ts';
import { settingNames as pingSettings } from '../../services/ping/src/config.ts';

interface Container {
	command?: string[];
	environment?: Record<string, string>;
	ports?: string[];
	volumes?: string[];
	depends_on?: Record<string, { condition: string }>;
	healthcheck?: { test: string[] };
	build?: string;
	networks?: string[];
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

const settingsOf: Record<string, readonly string[]> = {
	gateway: gatewaySettings,
	auth: authSettings,
	members: membersSettings,
	masterdata: masterdataSettings,
	horses: horsesSettings,
	events: eventsSettings,
	ping: pingSettings,
};

describe('docker-compose.yml says only what the code knows', () => {
	test('it has the gateway, every service that there is, and what they need', () => {
		const services = execFileSync('ls', [`${root}services`], { encoding: 'utf8' })
			.trim()
			.split('\n');
		expect(ours.map(([name]) => name).sort()).toEqual(['gateway', ...services].sort());
		expect(Object.keys(compose.services)).toEqual(
			expect.arrayContaining(['consul', 'postgres', 'prometheus']),
		);
		expect(services.every((name) => contextTable.some((context) => context.name === name))).toBe(true);
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

	test("the gateway has the same of Node's options however it is started, and Node knows them", () => {
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
		'%s is asked for its health at the port that it listens on, at an address that it has',
		(name, container) => {
			const probe = container.healthcheck?.test.join(' ') ?? '';
			const [, port, path] = /127\.0\.0\.1:(\d+)(\/[\w/]+)/.exec(probe) ?? [];
			expect(port).toBe(container.environment?.[name === 'gateway' ? 'OPS_PORT' : 'PORT']);
			expect(path).toBe(name === 'gateway' ? '/actuator/health/liveness' : '/health');
		},
	);

	test('only the gateway is published, at its own port', () => {
		const published = containers.filter(([, container]) => container.ports !== undefined);
		expect(published.map(([name]) => name)).toEqual(['gateway']);
		expect(compose.services['gateway']?.ports).toEqual(['8080:8080']);
		expect(compose.services['gateway']?.environment?.['PORT']).toBe('8080');
	});

	test('the operations pages have a port of their own that is not published, where Prometheus finds its targets', () => {
		const { environment, ports } = compose.services['gateway'] ?? {};
		const opsPort = environment?.['OPS_PORT'] ?? '';
		expect(opsPort).toMatch(/^\d+$/);
		expect(ports?.join()).not.toContain(opsPort);
		expect(environment?.['HEALTH_DETAILS']).toBe('authorized');
		const scraped = readFileSync(`${root}deploy/prometheus/prometheus.yml`, 'utf8');
		expect(scraped).toContain(`url: http://gateway:${opsPort}/actuator/prometheus/targets`);
	});

	test('whatever a container waits for exists and says when it is healthy', () => {
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

	test('no secret has a default, and each is demanded with a message', () => {
		const references = [...text.matchAll(/\$\{([^}]*)\}/g)].map((match) => match[1] ?? '');
		expect(references.length).toBeGreaterThan(0);
		for (const reference of references) expect(reference).toMatch(/^[A-Z_]+:\?set [A-Z_]+$/);
	});

	test('.env.example lists every variable and gives none a value', () => {
		const example = readFileSync(`${root}.env.example`, 'utf8');
		const listed = example.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
		const wanted = new Set([...text.matchAll(/\$\{(\w+):/g)].map((match) => `${match[1]}=`));
		expect(new Set(listed)).toEqual(wanted);
	});

	test('a service that has a secret is one that auth knows by it', () => {
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

	test('each context has a database and a role of its own, made by the script that the server runs', () => {
		const script = readFileSync(`${root}deploy/postgres/create-databases.sh`, 'utf8');
		for (const [name, container] of ours) {
			const url = container.environment?.['DATABASE_URL'];
			if (url === undefined) continue;
			expect(url).toContain(`//paddock_${name}:`);
			expect(url.endsWith(`/paddock_${name}`)).toBe(true);
			const variable = /\$\{(\w+):/.exec(url)?.[1] ?? '';
			expect(script).toContain(`create ${name} "$${variable}"`);
			expect(Object.keys(compose.services['postgres']?.environment ?? {})).toContain(variable);
		}
	});

	test('the Dockerfile copies every workspace that production needs', () => {
		const dockerfile = readFileSync(`${root}Dockerfile`, 'utf8');
		const lockfile = JSON.parse(readFileSync(`${root}package-lock.json`, 'utf8')) as {
			packages: Record<string, object>;
		};
		const workspaces = Object.keys(lockfile.packages).filter((path) =>
			/^(gateway|libs\/\w+|services\/\w+)$/.test(path),
		);
		expect(workspaces.length).toBeGreaterThan(8);
		for (const workspace of workspaces)
			expect(dockerfile).toContain(`COPY ${workspace}/package.json ${workspace}/\n`);
		for (const [, source] of dockerfile.matchAll(/^COPY (?!--from)([^\s]+) /gm)) {
			expect(existsSync(`${root}${source}`)).toBe(true);
		}
	});
});

const compiler = spawnSync('docker-compose', ['version']).status === 0;
const isCi = process.env['CI'] === 'true';

(compiler || isCi ? describe : describe.skip)(
	'docker-compose config (skipped where docker-compose is missing)',
	() => {
		const secrets = [
			'PADDOCK_ADMIN_EMAIL',
			'PADDOCK_ADMIN_PASSWORD',
			'POSTGRES_PASSWORD',
			'AUTH_DB_PASSWORD',
			'MEMBERS_DB_PASSWORD',
			'MASTERDATA_DB_PASSWORD',
			'HORSES_DB_PASSWORD',
			'EVENTS_DB_PASSWORD',
			'MEMBERS_SERVICE_SECRET',
			'MASTERDATA_SERVICE_SECRET',
			'HORSES_SERVICE_SECRET',
			'EVENTS_SERVICE_SECRET',
		];
		const config = (env: Record<string, string>) =>
			spawnSync('docker-compose', ['--file', `${root}docker-compose.yml`, 'config', '--quiet'], {
				env: { PATH: process.env['PATH'], ...env },
				encoding: 'utf8',
			});

		test('accepts the file once every secret is set', () => {
			const result = config(Object.fromEntries(secrets.map((name) => [name, 'x'])));
			expect([result.status, result.stderr]).toEqual([0, '']);
		});

		test.each(secrets)('refuses to go on without %s', (missing) => {
			const rest = secrets.filter((name) => name !== missing);
			const result = config(Object.fromEntries(rest.map((name) => [name, 'x'])));
			expect(result.status).not.toBe(0);
			expect(result.stderr).toContain(missing);
		});
	},
);
