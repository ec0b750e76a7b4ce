import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { compileCache } from '@paddock/testing';
import { parse } from 'yaml';
import { contexts } from '../../scripts/contexts/contexts.ts';
import { newContextNames } from '../../scripts/new-context/context-names.ts';
import { demoSignIns } from '../../scripts/start/banner.ts';
import { type CopiedProject, copyProject } from './copied-project.ts';
import { expectExited, freeBasePort, makeDataDir, type StartAttempt, startSystem } from './started-system.ts';

jest.setTimeout(300_000);

const { PATH = '', HOME = '', PADDOCK_TEST_POSTGRES_URL: TEST_POSTGRES_URL = '' } = process.env;
let project: CopiedProject;
const text = (path: string) => readFile(join(project.path, path), 'utf8');

beforeAll(async () => {
	project = await copyProject({ PATH, HOME, TEST_POSTGRES_URL, ...compileCache });
	await project.npm('run', 'new-context', '--', 'clinics');
	await project.npm('run', 'docs');
});
afterAll(() => project?.remove());

// Only these commands are run: a context is one folder, one line and generated files.
describe('after `npm run new-context -- clinics` and `npm run docs`', () => {
	test('only its folder is new, and it is one line of contexts.ts', async () => {
		const before = await readFile(new URL('../../contexts.ts', import.meta.url), 'utf8');
		const line = "export { context as clinics } from './services/clinics/context.ts';";
		const lines = (await text('contexts.ts')).split('\n');
		expect(lines.filter((each) => each !== line)).toEqual(before.split('\n'));
		expect(lines).toContain(line);
	});

	test('`npm run check` passes', async () => {
		await project.npm('run', 'check');
	});

	test('its own tests pass', async () => {
		expect(await project.npm('test', '--', '-i', 'services/clinics')).toContain('PASS services/clinics');
	});

	// Otherwise a migration without new types would leave queries checked against columns that the database does not have.
	test('the types of its tables, as those of every context, match the migrations', async () => {
		const file = (context: string) => `services/${context}/src/database-schema.generated.ts`;
		expect(await text(file('clinics'))).toContain('clinics: Clinics;');
		const output = await project.npm('run', 'database-types', '--', '--check');
		const others = contexts.filter(({ hasDatabase }) => hasDatabase).map(({ name }) => name);
		for (const context of ['clinics', ...others])
			expect(output).toContain(`${file(context)} matches the migrations.`);
	});

	test('the documents, the collection, the containers and the lockfile have it', async () => {
		const { paths } = parse(await text('openapi.yaml')) as { paths: object };
		expect(Object.keys(paths)).toEqual(expect.arrayContaining(['/api/clinics', '/api/clinics/{id}']));
		const { item } = JSON.parse(await text('postman/collection.json')) as {
			item: { name: string; item: { name: string }[] }[];
		};
		expect(item.find(({ name }) => name === 'clinics')?.item.length).toBe(6);
		const { services } = parse(await text('docker-compose.yml'), { merge: true }) as {
			services: Record<string, { environment: Record<string, string>; depends_on?: object }>;
		};
		expect(services['clinics']?.environment['DATABASE_URL']).toContain('paddock_clinics:$');
		expect(services['gateway']?.environment['CONTEXTS']).toMatch(/,clinics$/);
		expect(services['gateway']?.depends_on).toHaveProperty('clinics');
		expect(await text('.env.example')).toContain('\nCLINICS_DB_PASSWORD=\n');
		expect(await text('docs/settings.md')).toContain('### clinics');
		const { packages } = JSON.parse(await text('package-lock.json')) as { packages: object };
		expect(packages).toHaveProperty(['node_modules/@paddock/clinics-service']);
	});
});

describe('the names of a new context', () => {
	test.each([
		['clinics', undefined, 'clinic'],
		['stables', undefined, 'stable'],
		['injuries', undefined, 'injury'],
		['boxes', undefined, 'box'],
		['staff', 'groom', 'groom'],
	])('%s (record %s) has the record %s', (context, given, record) => {
		expect(newContextNames([context], given)).toEqual({ context, record });
	});

	test.each([
		['members', undefined, 'is taken'],
		['gateway', undefined, 'is taken'],
		['Clinics', undefined, 'must be lower-case letters and digits'],
		['../clinics', undefined, 'must be lower-case letters and digits'],
		['staff', undefined, '--record'],
		['horseclubs', 'club', 'createClub'],
	])('%s (record %s) is refused: %s', (context, given, message) => {
		expect(() => newContextNames([context], given)).toThrow(message);
	});
});

describe('`npm start` runs it', () => {
	let data: Awaited<ReturnType<typeof makeDataDir>>;
	let system: StartAttempt;

	beforeAll(async () => {
		data = await makeDataDir();
		const env = { PATH, DATA_DIR: data.path, DISCOVERY: 'static' };
		system = startSystem({ ...env, PORT: String(await freeBasePort()) }, { cwd: project.path });
		await system.up();
	});
	afterAll(async () => {
		const pids = system.tree();
		await system.end('SIGTERM');
		await expectExited(pids, 'the processes of the start have exited');
		await data.remove();
	});

	test('behind the gateway, with its demo row, writable for officers', async () => {
		expect((await api('GET', '/api/clinics')).status).toBe(401);
		const token = await signIn('FEDERATION_OFFICER');
		const { data: page } = await api<{ items: { name: string }[] }>('GET', '/api/clinics', { token });
		expect(page.items.map(({ name }) => name)).toEqual(['Clinic Auwiesen']);
		const created = await api('POST', '/api/clinics', { token, body: { name: 'Clinic Furt' } });
		expect(created.status).toBe(201);
		const refused = await api('POST', '/api/clinics', {
			token: await signIn('MEMBER'),
			body: { name: 'Clinic Nowhere' },
		});
		expect(refused.status).toBe(403);
	});

	test('with its component in the health of the system', async () => {
		const { data: view } = await api<{ components: Record<string, { status: string }> }>(
			'GET',
			'/actuator/health',
		);
		expect(view.components['clinics']).toMatchObject({ status: 'UP' });
	});

	async function api<Data>(method: string, path: string, { token = '', body = {} } = {}) {
		const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
		const sent = method === 'POST' ? { body: JSON.stringify(body) } : {};
		const response = await fetch(system.url + path, { method, headers, ...sent });
		const { data } = (await response.json()) as { data: Data };
		return { status: response.status, data };
	}

	async function signIn(role: string): Promise<string> {
		const user = demoSignIns.users.find(({ roles }) => roles.at(-1) === role);
		const { data: tokens } = await api<{ accessToken: string }>('POST', '/auth/login', {
			body: { email: user?.email ?? '', password: demoSignIns.password },
		});
		return tokens.accessToken;
	}
});
