import { afterEach, beforeEach, expect, test } from '@jest/globals';
import {
	createDatabase,
	type Database,
	inTransaction,
	type Migration,
	openDatabase,
	seedMarks,
} from '@paddock/database';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, type Pooler, startPooler, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import { describeWithPrograms } from '../../testing/src/describe-with-programs.ts';

interface Schema {
	readonly horses: { readonly name: string; readonly origin: string };
}

const migrations: Record<string, Migration> = {
	'0001-seed-marks': seedMarks,
	'0002-horses': {
		up: async (db) => {
			await sql`create table horses (name text, origin text)`.execute(db);
			// Planner options of a connection show over which one the migration ran.
			await sql`insert into horses values ('Lisa', current_setting('geqo'))`.execute(db);
		},
	},
};

describeWithPrograms(['pgbouncer'], 'a database behind a pooler in transaction mode', () => {
	let testDatabase: TestDatabase;
	let pooler: Pooler;
	let direct: Database<unknown>;
	const opened: Database<Schema>[] = [];

	beforeEach(async () => {
		testDatabase = await createTestDatabase({ name: 'unmigrated', prepare: async () => {} });
		pooler = await startPooler(testDatabase.url);
		direct = createDatabase({ url: testDatabase.url, applicationName: 'test', logger: silentLogger() });
	});
	afterEach(async () => {
		await Promise.all([direct, ...opened.splice(0)].map((db) => db.destroy()));
		await pooler.stop();
		await testDatabase.drop();
	});

	async function open(migrationUrl?: string): Promise<Database<Schema>> {
		const db = await openDatabase<Schema>({
			url: pooler.url,
			migrationUrl,
			applicationName: 'pooled',
			logger: silentLogger(),
			migrations,
			seedSets: [],
		});
		opened.push(db);
		return db;
	}

	// Regression: the pooler refused the startup parameter statement_timeout, and kept that of the migrations.
	test('is migrated by several processes at once and used by more clients than it has connections', async () => {
		const [first, second] = await Promise.all([open(), open()]);
		const insert = (db: Database<Schema>, name: string) =>
			inTransaction(db, (transaction) =>
				transaction.insertInto('horses').values({ name, origin: 'test' }).execute(),
			);
		const names = Array.from({ length: 20 }, (_, index) => `horse ${index}`);
		await Promise.all(names.map((name, index) => insert(index % 2 === 0 ? first : second, name)));
		const { rows } = await sql<{ count: number }>`select count(*) from horses`.execute(first);
		expect(rows).toEqual([{ count: 21 }]);
		const limits = await Promise.all(
			Array.from({ length: 6 }, () =>
				sql<{ statementTimeout: string }>`show statement_timeout`.execute(second),
			),
		);
		expect(new Set(limits.flatMap((result) => result.rows.map((row) => row.statementTimeout)))).toEqual(
			new Set(['5s']),
		);
		const locks = await sql`select 1 from pg_locks where locktype = 'advisory'
			and database = (select oid from pg_database where datname = current_database())`.execute(direct);
		expect(locks.rows).toEqual([]);
	});

	test('is migrated over the direct address, where one is given', async () => {
		const options = encodeURIComponent('-c geqo=off');
		const db = await open(`${testDatabase.url}&options=${options}`);
		expect(await db.selectFrom('horses').select('origin').execute()).toEqual([{ origin: 'off' }]);
	});
});
