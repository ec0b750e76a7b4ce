import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, eventually, openTestPool, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import type { Database } from './database.ts';
import { databaseOutage } from './database-errors.ts';
import { migrateDatabase, type OpenDatabaseOptions, openDatabase } from './open-database.ts';
import { type SeedSet, seedMarks } from './seed.ts';
import { withDatabase } from './server-urls.ts';
import { withClient } from './with-client.ts';

interface Schema {
	readonly horses: { readonly name: string };
}

const createHorses: Migration = {
	up: async (db) => {
		await sql`create table horses (name text)`.execute(db);
	},
};
const migrations = { '0001-seed-marks': seedMarks, '0002-horses': createHorses };
const lisa: SeedSet<Schema> = {
	name: 'lisa',
	insert: async (db) => {
		await db.insertInto('horses').values({ name: 'Lisa' }).execute();
	},
};

let testDatabase: TestDatabase;
let observer: Database<Schema>;

beforeEach(async () => {
	testDatabase = await createTestDatabase({ name: 'unmigrated', prepare: async () => {} });
	observer = openTestPool(testDatabase.url);
});
afterEach(async () => {
	await observer.destroy();
	await testDatabase.drop();
});

function open(changes: Partial<OpenDatabaseOptions<Schema>> = {}) {
	const { url } = testDatabase;
	const logger = silentLogger();
	return openDatabase({ url, applicationName: 'opening', logger, migrations, seedSets: [lisa], ...changes });
}

async function connections(): Promise<number> {
	const { rows } = await sql`
		select 1 from pg_stat_activity
		where datname = current_database() and application_name = 'opening'`.execute(observer);
	return rows.length;
}

describe('opening a database', () => {
	test('migrates and seeds it, and again changes nothing', async () => {
		for (let start = 0; start < 2; start += 1) {
			const db = await open();
			expect(await db.selectFrom('horses').selectAll().execute()).toEqual([{ name: 'Lisa' }]);
			await db.destroy();
		}
	});

	test.each([
		['a migration', { migrations: { ...migrations, '0003-broken': broken() } }],
		['a seed', { seedSets: [{ name: 'broken', insert: broken().up }] }],
	])('fails with the error of the database for %s, and closes its connections', async (_what, changes) => {
		const error: unknown = await open(changes).catch((reason: unknown) => reason);
		expect(String(error) + String(Reflect.get(Object(error), 'cause'))).toContain('no_such_table');
		await eventually('its connections are closed', async () => (await connections()) === 0);
	});
});

function broken(): Migration {
	return {
		up: async (db) => {
			await sql`insert into no_such_table values (1)`.execute(db);
		},
	};
}

describe('opening a database that the service must not migrate', () => {
	test('is refused while a migration is missing, and changes nothing', async () => {
		await expect(open({ migrate: false })).rejects.toThrow(
			'the database lacks the migrations 0001-seed-marks, 0002-horses; run npm run migrate first',
		);
		await migrateDatabase({
			url: testDatabase.url,
			applicationName: 'migrating',
			logger: silentLogger(),
			migrations,
		});
		const db = await open({ migrate: false });
		expect(await db.selectFrom('horses').selectAll().execute()).toEqual([{ name: 'Lisa' }]);
		await db.destroy();
	});
});

// Regression: one service crashed at its first search, the others stored texts that they could not read back.
test('a database with another encoding than UTF8 is refused', async () => {
	const { PADDOCK_TEST_POSTGRES_URL: superuserUrl = '' } = process.env;
	const name = `ascii_${randomUUID().slice(0, 8)}`;
	await withClient(superuserUrl, (client) =>
		client.query(`create database ${name} encoding 'SQL_ASCII' locale 'C' template template0`),
	);
	try {
		await expect(open({ url: withDatabase(superuserUrl, name) })).rejects.toThrow(
			'the database has the encoding SQL_ASCII; create it with',
		);
	} finally {
		await withClient(superuserUrl, (client) => client.query(`drop database ${name} with (force)`));
	}
});

test('a pool that may need more connections than the server has left, and a role without a time limit, are logged', async () => {
	const { PADDOCK_TEST_POSTGRES_URL: superuserUrl = '' } = process.env;
	const warnings: string[] = [];
	const logger = Object.assign(silentLogger(), { warn: (message: string) => void warnings.push(message) });
	const db = await open({
		url: withDatabase(superuserUrl, new URL(testDatabase.url).pathname.slice(1)),
		poolMax: 100_000,
		logger,
	});
	await db.destroy();
	expect(warnings).toEqual([
		'the role has no statement_timeout: a statement that the service abandons continues on the server',
		'fewer connections are free on the database server than the pool may need',
	]);
});

describe('the outage of a database', () => {
	test('gets 503 with Retry-After, unlike other errors', () => {
		const refused = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
		expect(databaseOutage(refused)).toMatchObject({
			code: 'SERVICE_UNAVAILABLE',
			status: 503,
			headers: { 'Retry-After': '2', 'X-Failed-Part': 'database' },
			cause: refused,
		});
		expect(databaseOutage(new TypeError('a bug'))).toBeUndefined();
	});
});
