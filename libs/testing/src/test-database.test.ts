import { afterAll, describe, expect, test } from '@jest/globals';
import { createDatabase, type Migration, migrateToLatest, withDatabase } from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { sql } from 'kysely';
import { createTestDatabase, type TestDatabase } from './test-database.ts';

const logger = silentLogger();
const migrations: Record<string, Migration> = {
	'0001-horses': {
		up: async (db) => {
			await sql`create table horses (name citext primary key)`.execute(db);
		},
	},
};
let prepared = 0;
const template = {
	name: 'prepared_once',
	prepare: async (url: string) => {
		prepared++;
		const db = createDatabase({ url, applicationName: 'test', logger });
		await migrateToLatest(db, migrations, logger);
		await db.destroy();
	},
};
const made: TestDatabase[] = [];

async function make(): Promise<TestDatabase> {
	const database = await createTestDatabase(template);
	made.push(database);
	return database;
}

function open(url: string) {
	return createDatabase<{ horses: { name: string } }>({ url, applicationName: 'test', logger });
}

afterAll(async () => {
	for (const database of made) await database.drop();
});

describe('a test database', () => {
	test('has a template prepared once for concurrent callers, and shares no rows with other databases', async () => {
		const [first, second] = await Promise.all([make(), make(), make()]);
		expect(prepared).toBe(1);
		const one = open(first.url);
		const other = open(second.url);
		await one.insertInto('horses').values({ name: 'Valegro' }).execute();
		expect(await one.selectFrom('horses').selectAll().execute()).toEqual([{ name: 'Valegro' }]);
		expect(await other.selectFrom('horses').selectAll().execute()).toEqual([]);
		await Promise.all([one.destroy(), other.destroy()]);
	});

	test('has a role with the rights of a service: no superuser, no access to other databases', async () => {
		const { url } = await make();
		const db = open(url);
		await expect(sql`create role intruder`.execute(db)).rejects.toMatchObject({ code: '42501' });
		await db.destroy();
		const outside = open(withDatabase(url, 'postgres'));
		await expect(sql`select 1`.execute(outside)).rejects.toMatchObject({ code: '42501' });
		await outside.destroy();
	});

	test('is removed by drop, even with open connections', async () => {
		const database = await createTestDatabase(template);
		const db = open(database.url);
		await sql`select 1`.execute(db);
		await database.drop();
		await expect(sql`select 1`.execute(db)).rejects.toMatchObject({
			code: expect.stringMatching(/3D000|57P01/),
		});
		await db.destroy();
	});
});
