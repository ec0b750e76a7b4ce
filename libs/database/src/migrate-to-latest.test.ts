import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, eventually, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import type { Migration } from 'kysely/migration';
import { concurrentIndexes } from './concurrent-indexes.ts';
import { createDatabase, type Database } from './database.ts';
import { filledColumns, unfilledTables } from './filled-columns.ts';
import { migrateToLatest } from './migrate-to-latest.ts';
import { withClient } from './with-client.ts';

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

	test('are built if the server refuses the first attempt, as two builds changed one row of its catalogue', async () => {
		const db = open();
		await migrateToLatest(db, { '0001-create': migrations['0001-create'] }, logger);
		// A sequence counts refused attempts too.
		await sql`create sequence builds`.execute(db);
		await sql`create function refuse_first() returns event_trigger language plpgsql as $$ begin
			if nextval('builds') = 1 then raise 'tuple concurrently updated' using errcode = 'XX000'; end if;
		end $$`.execute(db);
		const superuser = new URL(process.env['PADDOCK_TEST_POSTGRES_URL'] ?? '');
		superuser.pathname = new URL(testDatabase.url).pathname;
		await withClient(superuser.href, (client) =>
			client.query(`create event trigger refuse_first on ddl_command_start when tag in ('CREATE INDEX')
				execute function refuse_first()`),
		);
		await migrateToLatest(db, migrations, logger);
		expect(await states(db)).toEqual(both);
		await withClient(superuser.href, (client) => client.query('drop event trigger refuse_first'));
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

	const setting = (factor: number) =>
		concurrentIndexes({ large_other_index: 'large (id, text)' }, [
			`alter table large set (autovacuum_vacuum_scale_factor = ${factor})`,
		]);
	const optionsOfLarge = async (db: Database<unknown>) =>
		(
			await sql<{
				options: string[] | null;
			}>`select reloptions as options from pg_class where relname = 'large'`.execute(db)
		).rows[0]?.options;

	// The transaction of the migrations waited for the lock of the build, which waited for its snapshot: a deadlock.
	test('and settings of their table do not make the migrations wait for a build of another process', async () => {
		const [builder, newer, other] = [open(), open(), open()];
		await migrateToLatest(builder, { '0001-create': migrations['0001-create'] }, logger);
		const writing = await openWrite(other);
		const building = migrateToLatest(builder, migrations, logger);
		await eventually('a build waits for the transaction', async () => {
			const { rows } = await sql`select from pg_stat_progress_create_index`.execute(other);
			return rows.length > 0;
		});
		const migrating = migrateToLatest(newer, { ...migrations, '0003-settings': setting(0.02) }, logger);
		await eventually('the newer migration is applied', async () => {
			const { rows } = await sql`select from kysely_migration where name = '0003-settings'`.execute(other);
			return rows.length > 0;
		});
		await Promise.all([building, migrating, writing.commit()]);
		expect(await states(other)).toEqual({ ...both, large_other_index: true });
		expect(await optionsOfLarge(other)).toEqual(['autovacuum_vacuum_scale_factor=0.02']);
	});

	test('have the last of several settings of their table, unless an operator has set others', async () => {
		const db = open();
		const first = { ...migrations, '0003-settings': setting(0.02) };
		const both = { ...first, '0004-settings': setting(0.005) };
		await migrateToLatest(db, first, logger);
		await migrateToLatest(db, both, logger);
		expect(await optionsOfLarge(db)).toEqual(['autovacuum_vacuum_scale_factor=0.005']);
		await sql`alter table large set (autovacuum_vacuum_scale_factor = 0.3)`.execute(db);
		await migrateToLatest(db, both, logger);
		expect(await optionsOfLarge(db)).toEqual(['autovacuum_vacuum_scale_factor=0.3']);
	});
});

describe('columns of large tables', () => {
	const created = {
		'0001-create': statement(
			`create table origins as select gen_random_uuid() as id, 'kind ' || n as kind from generate_series(1, 3000) n`,
		),
		'0002-copies': statement(
			`create table copies as select id, repeat('x', 500) as text from origins;
			alter table origins add primary key (id); alter table copies add primary key (id)`,
		),
	};
	const migrations = {
		...created,
		'0003-kinds': filledColumns({ table: 'copies', from: 'origins', columns: ['kind'] }, [
			'alter table copies add column kind text',
		]),
	};

	test('are filled in batches that block no other writes, and by the next start after a kill', async () => {
		const [killed, locking, other] = [open(), open(), open()];
		await migrateToLatest(killed, created, logger);
		const { rows: ids } = await sql<{ id: string }>`select id from copies order by id`.execute(other);
		const [first, held, last] = [ids[0]?.id, ids[1_200]?.id, ids.at(-1)?.id];
		const isHeld = Promise.withResolvers<void>();
		const isFree = Promise.withResolvers<void>();
		const transaction = (async () => {
			await eventually('the column is there', async () => {
				const { rows } =
					await sql`select from pg_attribute where attname = 'kind' and attrelid = 'copies'::regclass`.execute(
						locking,
					);
				return rows.length > 0;
			});
			await locking.transaction().execute(async (writing) => {
				await sql`update copies set kind = 'changed meanwhile' where id = ${held}::uuid`.execute(writing);
				isHeld.resolve();
				await isFree.promise;
			});
		})();
		// The row is held before a process begins to fill.
		await sql`alter table copies add column kind text`.execute(other);
		await isHeld.promise;
		const adopted = { ...migrations, '0003-kinds': { ...migrations['0003-kinds'], up: async () => {} } };
		const migrating = migrateToLatest(killed, adopted, logger);
		await eventually('the batches before it are filled', async () => {
			const { rows } = await sql`select from copies where id = ${first}::uuid and kind is not null`.execute(
				other,
			);
			return rows.length > 0;
		});
		await sql`update copies set text = 'written' where id = ${last}::uuid`.execute(other);
		await eventually('the process is ended by the administrator', async () => {
			const { rows } = await sql`
				select pg_terminate_backend(pid) from pg_stat_activity
				where datname = current_database() and wait_event_type = 'Lock'`.execute(other);
			return rows.length > 0;
		});
		await expect(migrating).rejects.toThrow();
		expect(await unfilledTables(other, adopted)).toEqual(['copies']);
		isFree.resolve();
		await transaction;
		await migrateToLatest(open(), adopted, logger);
		expect(await unfilledTables(other, adopted)).toEqual([]);
		const { rows } = await sql<{ id: string }>`
			select copies.id from copies join origins using (id) where copies.kind is distinct from origins.kind`.execute(
			other,
		);
		expect(rows).toEqual([{ id: held }]);
	});

	test('of a small table are filled with the migrations', async () => {
		const db = open();
		const few = statement(`create table origins as select gen_random_uuid() as id, 'kind' as kind;
			create table copies as select id from origins`);
		await migrateToLatest(db, { '0001-create': few, '0003-kinds': migrations['0003-kinds'] }, logger);
		expect((await sql`select kind from copies`.execute(db)).rows).toEqual([{ kind: 'kind' }]);
		await expect(sql`update copies set kind = null`.execute(db)).rejects.toMatchObject({ code: '23502' });
	});
});
