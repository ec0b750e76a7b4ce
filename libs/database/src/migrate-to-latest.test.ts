import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, eventually, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { concurrentIndexes } from './concurrent-indexes.ts';
import { createDatabase, type Database } from './database.ts';
import { migrateToLatest } from './migrate-to-latest.ts';

const logger = silentLogger();
let testDatabase: TestDatabase;
let pools: Database<unknown>[];

beforeEach(async () => {
	testDatabase = await createTestDatabase({ name: 'unmigrated', prepare: async () => {} });
	pools = [];
});

afterEach(async () => {
	await Promise.all(pools.map((pool) => pool.destroy()));
	await testDatabase.drop();
});

function open(statementTimeoutMs = 5_000): Database<unknown> {
	const pool = createDatabase<unknown>({
		url: testDatabase.url,
		statementTimeoutMs,
		applicationName: 'test',
		logger,
	});
	pools.push(pool);
	return pool;
}

function statement(text: string): Migration {
	return {
		up: async (db) => {
			await sql.raw(text).execute(db);
		},
	};
}

async function tables(db: Database<unknown>): Promise<string[]> {
	const { rows } = await sql<{ name: string }>`
		select table_name as name from information_schema.tables
		where table_schema = 'public' and table_name not like 'kysely%' order by 1`.execute(db);
	return rows.map((row) => row.name);
}

describe('migrations', () => {
	test('run once, in the order of their names, when several processes start at the same time', async () => {
		const migrations = {
			'0002-fill': statement('insert into horses values (1)'),
			'0001-create': statement('create table horses (id int)'),
		};
		const processes = Array.from({ length: 4 }, () => open());
		await Promise.all(processes.map((db) => migrateToLatest(db, migrations, logger)));
		const { rows } = await sql`select id from horses`.execute(open());
		expect(rows).toEqual([{ id: 1 }]);
	});

	test('that are new are added to those that ran before', async () => {
		const db = open();
		const first = { '0001-horses': statement('create table horses (id int)') };
		await migrateToLatest(db, first, logger);
		await migrateToLatest(db, { ...first, '0002-clubs': statement('create table clubs (id int)') }, logger);
		expect(await tables(db)).toEqual(['clubs', 'horses']);
	});

	test('that fail change nothing, and the error names the migration and has the cause', async () => {
		const db = open();
		const broken = {
			'0001-good': statement('create table good (id int)'),
			'0002-bad': statement('create tabel bad'),
		};
		await expect(migrateToLatest(db, broken, logger)).rejects.toMatchObject({
			message: 'migration 0002-bad failed',
			cause: { code: '42601' },
		});
		expect(await tables(db)).toEqual([]);
	});

	test('may exceed the pool’s time limits, which apply again afterwards', async () => {
		const db = open(100);
		const slow = { '0001-slow': statement('select pg_sleep(1.3)') };
		await migrateToLatest(db, slow, logger);
		expect((await sql`show statement_timeout`.execute(db)).rows).toEqual([{ statementTimeout: '5s' }]);
		await expect(sql`select pg_sleep(5)`.execute(db)).rejects.toMatchObject({ name: 'QueryTimeoutError' });
	});

	test('of a newer version are not changed, and a version without them works', async () => {
		const db = open();
		const known = { '0001-horses': statement('create table horses (id int)') };
		const newer = { ...known, '0002-name': statement('alter table horses add column name text') };
		await migrateToLatest(db, newer, logger);
		await migrateToLatest(db, known, logger);
		await sql`insert into horses (id) values (1)`.execute(db);
		await migrateToLatest(db, newer, logger);
		expect((await sql`select * from horses`.execute(db)).rows).toEqual([{ id: 1, name: null }]);
	});

	test('that diverged from those of the database are refused, and the line names both', async () => {
		const db = open();
		await migrateToLatest(db, { '0002-theirs': statement('create table theirs (id int)') }, logger);
		const ours = { '0001-ours': statement('create table ours (id int)') };
		await expect(migrateToLatest(db, ours, logger)).rejects.toThrow(
			'the database has 0002-theirs but lacks 0001-ours, which must come before',
		);
		expect(await tables(db)).toEqual(['theirs']);
	});
});

describe('indexes of large tables', () => {
	const migrations = {
		'0001-create': statement(
			"create table large as select n as id, repeat('x', 500) as text from generate_series(1, 5000) n",
		),
		'0002-index': concurrentIndexes({ large_id_index: 'large (id)', large_text_index: 'large (text, id)' }),
	};

	async function states(db: Database<unknown>): Promise<Record<string, boolean>> {
		const { rows } = await sql<{ name: string; valid: boolean }>`
			select relname as name, indisvalid as valid from pg_index join pg_class on oid = indexrelid
			where relname like 'large%'`.execute(db);
		return Object.fromEntries(rows.map(({ name, valid }) => [name, valid]));
	}

	/** A transaction that has written: builds wait for it. */
	async function openWrite(db: Database<unknown>): Promise<{ commit(): Promise<void> }> {
		const written = Promise.withResolvers<void>();
		const { promise: ended, resolve: end } = Promise.withResolvers<void>();
		const transaction = db.transaction().execute(async (writing) => {
			await sql`insert into large values (0, '')`.execute(writing);
			written.resolve();
			await ended;
		});
		await Promise.race([written.promise, transaction]);
		return {
			commit: () => {
				end();
				return transaction;
			},
		};
	}

	const both = { large_id_index: true, large_text_index: true };

	test('are built once by several processes, without blocking writes', async () => {
		const writer = open();
		await migrateToLatest(writer, { '0001-create': migrations['0001-create'] }, logger);
		const writing = await openWrite(writer);
		const processes = Array.from({ length: 4 }, () => open());
		const migrating = Promise.all(processes.map((db) => migrateToLatest(db, migrations, logger)));
		await eventually('a build waits for the transaction', async () => {
			const { rows } = await sql`select from pg_stat_progress_create_index`.execute(writer);
			return rows.length > 0;
		});
		await sql`insert into large values (-1, '')`.execute(writer);
		await Promise.all([migrating, writing.commit()]);
		expect(await states(writer)).toEqual(both);
	});

	test('that replace others are built first, and those are neither kept nor built again', async () => {
		const db = open();
		await migrateToLatest(db, migrations, logger);
		const newer = concurrentIndexes(
			{ large_wide_index: 'large (id) include (text)' },
			[],
			['large_id_index'],
		);
		const all = { ...migrations, '0003-wide': newer };
		await Promise.all([db, open()].map((one) => migrateToLatest(one, all, logger)));
		await migrateToLatest(db, all, logger);
		expect(await states(db)).toEqual({ large_wide_index: true, large_text_index: true });
	});

	test.each([
		['pg_terminate_backend', 'rejected'],
		['pg_cancel_backend', 'fulfilled'],
	])('are built again after %s, and the first start is %s', async (end, status) => {
		const [killed, other] = [open(), open()];
		await migrateToLatest(killed, { '0001-create': migrations['0001-create'] }, logger);
		const blocking = await openWrite(other);
		const migrating = migrateToLatest(killed, migrations, logger);
		await eventually('the build is ended by the administrator', async () => {
			const { rows } = await sql`
				select ${sql.raw(end)}(pid) from pg_stat_progress_create_index`.execute(other);
			return rows.length > 0;
		});
		const [first] = await Promise.allSettled([migrating, blocking.commit()]);
		expect(first.status).toBe(status);
		expect(await states(other)).not.toEqual(both);
		await migrateToLatest(open(), migrations, logger);
		expect(await states(other)).toEqual(both);
	});
});
