import { spawn } from 'node:child_process';
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { withClient } from '@paddock/database';
import {
	compileCache,
	createTestDatabase,
	createTestIdentity,
	freePort,
	recordingUpstream,
	startChildService,
	type TestDatabase,
} from '@paddock/testing';
import { migrationsOf } from '../../scripts/migrate/context-migrations.ts';
import { timedRequest } from '../resilience/timed-load.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { PATH = '' } = process.env;
let database: TestDatabase;

beforeEach(async () => {
	database = await createTestDatabase({ name: 'empty', prepare: async () => {} });
});
afterEach(() => database.drop());

function migrate(env: Record<string, string>, ...args: string[]) {
	return migrateIn(root, env, ...args);
}

async function migrateIn(directory: string, env: Record<string, string>, ...args: string[]) {
	const child = spawn(process.execPath, ['scripts/migrate.ts', ...args], {
		cwd: directory,
		env: { PATH, ...compileCache, ...env },
		stdio: ['ignore', 'pipe', 'pipe'],
	});
	const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
	const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
	return { code, stdout: stdout.trim(), stderr: stderr.trim() };
}

/** Master data as a process that may not migrate, and a stub of auth. */
async function startMasterdata() {
	const identity = await createTestIdentity();
	const auth = await recordingUpstream((_req, res) => {
		res.writeHead(200, { 'Content-Type': 'application/jwk-set+json' }).end(JSON.stringify(identity.jwks));
	});
	const service = await startChildService({
		main: 'services/masterdata/src/main.ts',
		port: await freePort(),
		env: {
			// Elsewhere each response is compared with its schema, which the new column is missing from.
			NODE_ENV: 'production',
			HOST: '127.0.0.1',
			SERVICE_SECRET: 'the-masterdata-own-secret-in-this-test',
			DATABASE_URL: database.url,
			MIGRATE_ON_START: 'off',
			SERVICE_INSTANCES: `auth-service=${auth.url}`,
			DRAIN_MS: '0',
		},
		readyPath: '/health',
	}).catch(async (error: unknown) => {
		await auth.close();
		throw error;
	});
	// fetch compares responses with openapi.yaml, which the new column is missing from, too.
	const venues = { port: service.port, path: '/api/masterdata/venues' };
	const create = (name: string) =>
		timedRequest({
			...venues,
			method: 'POST',
			headers: { Authorization: `Bearer ${identity.sign({ roles: ['FEDERATION_OFFICER'] })}` },
			body: JSON.stringify({ name, countryCode: 'AT', timeZone: 'Europe/Vienna' }),
		});
	const list = () => timedRequest(venues);
	const stop = async () => {
		await service.stop();
		await auth.close();
	};
	return { create, list, stop };
}

describe('npm run migrate', () => {
	test('migrates the database of the named context, and again changes nothing', async () => {
		const names = Object.keys(await migrationsOf('masterdata')).sort();
		const env = { DATABASE_URL: 'postgres://127.0.0.1:1/pooler', MIGRATION_DATABASE_URL: database.url };
		expect(await migrate(env, 'masterdata')).toEqual({
			code: 0,
			stdout: `masterdata: ${names.join(', ')}`,
			stderr: '',
		});
		expect(await migrate(env, 'masterdata')).toMatchObject({ code: 0, stdout: 'masterdata: up to date' });
	});

	test('reads the address from a file, as the service does, and names a file that it cannot read', async () => {
		const folder = await mkdtemp(join(tmpdir(), 'paddock-secret-'));
		const file = join(folder, 'url');
		await writeFile(file, `${database.url}\n`);
		const env = { DATABASE_URL_FILE: file };
		expect(await migrate(env, 'masterdata')).toMatchObject({
			code: 0,
			stdout: expect.stringMatching(/^masterdata: 0001/),
		});
		await rm(folder, { recursive: true });
		const { code, stderr } = await migrate(env, 'masterdata');
		const [reason] = stderr.split('\n');
		expect([code, reason]).toEqual([
			2,
			`DATABASE_URL_FILE: must be the path of a readable file (given: "${file}")`,
		]);
	});

	test.each([
		['an unknown context', ['nonsense'], 2, 'nonsense: not a context with a database'],
		['no context', [], 2, 'DATABASE_URL is the database of one context: name it'],
		['an unreachable database', ['masterdata'], 1, 'masterdata: connect ECONNREFUSED 127.0.0.1:1'],
	])('with %s ends with a line that says so', async (_what, args, code, reason) => {
		const result = await migrate({ DATABASE_URL: 'postgres://a:b@127.0.0.1:1/c' }, ...args);
		expect([result.code, result.stderr.split('\n')[0]]).toEqual([code, reason]);
	});
});

// Regression: it ended with the stack of ERR_MODULE_NOT_FOUND.
test('npm run migrate in the image without DATABASE_URL ends with a line that names it', async () => {
	const image = await mkdtemp(join(tmpdir(), 'image-'));
	try {
		for (const path of ['package.json', 'scripts/migrate.ts', 'scripts/migrate']) {
			await cp(join(root, path), join(image, path), { recursive: true });
		}
		for (const path of ['node_modules', 'services']) await symlink(join(root, path), join(image, path));
		const { code, stderr } = await migrateIn(image, {}, 'masterdata');
		expect([code, stderr.split('\n')[0]]).toEqual([
			2,
			'In the image, set DATABASE_URL to the database of one context; --databases is not available',
		]);
	} finally {
		await rm(image, { recursive: true });
	}
});

describe('a service with MIGRATE_ON_START=off', () => {
	test('does not start on a database that lacks migrations, and says how to add them', async () => {
		await expect(startMasterdata()).rejects.toThrow(
			/masterdata-service: .*DATABASE_URL: the database lacks the migrations 0001-countries-and-states, .*; run npm run migrate first/s,
		);
	});

	test('works on the schema of a newer version', async () => {
		expect((await migrate({ DATABASE_URL: database.url }, 'masterdata')).code).toBe(0);
		await withClient(database.url, async (client) => {
			await client.query(`alter table venues add column indoor boolean not null default false`);
			await client.query(`insert into kysely_migration values ('9999-indoor', now()::text)`);
		});
		expect(await migrate({ DATABASE_URL: database.url }, 'masterdata')).toEqual({
			code: 0,
			stdout: 'masterdata: up to date',
			stderr: 'masterdata: the schema is newer than this version {"unknown":["9999-indoor"]}',
		});
		const { create, list, stop } = await startMasterdata();
		try {
			expect((await create('Reitanlage Seeblick')).status).toBe(201);
			expect(JSON.parse((await list()).body)).toMatchObject({
				data: { items: [{ name: 'Reitanlage Seeblick' }] },
			});
		} finally {
			await stop();
		}
	});
});
