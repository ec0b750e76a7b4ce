import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, eventually, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import { createDatabase, type Database } from './database.ts';
import { databaseOutage } from './database-errors.ts';
import { advisoryLock, inTransaction } from './in-transaction.ts';
import { prepared } from './prepared-statements.ts';

interface Schema {
	counters: { id: number; count: number };
}

const logger = silentLogger();
let testDatabase: TestDatabase;
let db: Database<Schema>;

beforeAll(async () => {
	testDatabase = await createTestDatabase({
		name: 'counters',
		prepare: async (url) => {
			const empty = createDatabase({ url, applicationName: 'test', logger });
			await sql`create table counters (id int primary key, count int not null)`.execute(empty);
			await empty.destroy();
		},
	});
	db = createDatabase({ url: testDatabase.url, applicationName: 'test', logger });
});

afterAll(async () => {
	await db.destroy();
	await testDatabase.drop();
});

async function countOf(id: number): Promise<number | undefined> {
	const row = await db.selectFrom('counters').select('count').where('id', '=', id).executeTakeFirst();
	return row?.count;
}

test('a transaction that lost a serialization conflict is repeated and sees the writes of the other', async () => {
	await db.insertInto('counters').values({ id: 1, count: 0 }).execute();
	let attempts = 0;
	await inTransaction(
		db,
		async (transaction) => {
			attempts++;
			const { count } = await transaction
				.selectFrom('counters')
				.select('count')
				.where('id', '=', 1)
				.executeTakeFirstOrThrow();
			if (attempts === 1) await db.updateTable('counters').set({ count: 10 }).where('id', '=', 1).execute();
			await transaction
				.updateTable('counters')
				.set({ count: count + 1 })
				.where('id', '=', 1)
				.execute();
		},
		{ isolation: 'repeatable read' },
	);
	expect(attempts).toBe(2);
	expect(await countOf(1)).toBe(11);
});

test('an error of the work is thrown at once, and the transaction is rolled back', async () => {
	let attempts = 0;
	const work = inTransaction(db, async (transaction) => {
		attempts++;
		await transaction.insertInto('counters').values({ id: 2, count: 1 }).execute();
		throw new Error('rule broken');
	});
	await expect(work).rejects.toThrow('rule broken');
	expect(attempts).toBe(1);
	expect(await countOf(2)).toBeUndefined();
});

test('a conflict at every attempt is finally thrown', async () => {
	await db.insertInto('counters').values({ id: 3, count: 0 }).execute();
	let attempts = 0;
	const work = inTransaction(
		db,
		async (transaction) => {
			attempts++;
			await transaction.selectFrom('counters').selectAll().execute();
			await db.updateTable('counters').set({ count: attempts }).where('id', '=', 3).execute();
			await transaction.updateTable('counters').set({ count: 99 }).where('id', '=', 3).execute();
		},
		{ isolation: 'repeatable read' },
	);
	await expect(work).rejects.toMatchObject({ code: '40001' });
	expect(attempts).toBe(3);
	expect(await countOf(3)).toBe(3);
});

// Regression: a slow holder of the lock left no connection for reads and for the health check, at all instances.
describe('transactions that wait for a lock', () => {
	const locks = async (granted: boolean) => {
		const { rows } = await sql<{ count: number }>`
			select count(*)::int as count from pg_locks
			where locktype = 'advisory' and granted = ${granted}
			and database = (select oid from pg_database where datname = current_database())`.execute(db);
		return rows[0]?.count;
	};
	/** Calls `work` while one transaction of a pool of four holds the lock and the others wait. */
	const whileLocked = async (
		connectTimeoutMs: number,
		work: (pool: Database<Schema>, waiting: readonly Promise<void>[]) => Promise<unknown>,
	): Promise<void> => {
		const options = { url: testDatabase.url, poolMax: 4, connectTimeoutMs, applicationName: 'test', logger };
		const pool = createDatabase<Schema>(options);
		const { promise: released, resolve: release } = Promise.withResolvers<void>();
		const locked = (then?: Promise<void>) =>
			inTransaction(pool, async (transaction) => {
				await advisoryLock(transaction, 'numbers');
				await then;
			});
		const holder = locked(released);
		await eventually('the lock is held', async () => (await locks(true)) === 1);
		const waiting = Array.from({ length: 8 }, () => locked());
		const ended = Promise.allSettled([holder, ...waiting]);
		try {
			await eventually('one waits for the lock', async () => ((await locks(false)) ?? 0) >= 1);
			await work(pool, waiting);
		} finally {
			release();
			await ended;
			await pool.destroy();
		}
	};

	test('leave half of the pool to other queries', async () => {
		let transactions: readonly Promise<void>[] = [];
		await whileLocked(2_000, async (pool, waiting) => {
			transactions = waiting;
			await sql`select 1`.execute(pool);
			expect(await locks(false)).toBe(1);
		});
		await Promise.all(transactions);
	});

	test('become 503 if no other one ends in time', async () => {
		await whileLocked(200, async (_pool, [, ...queued]) => {
			for (const transaction of queued) {
				const error: unknown = await transaction.catch((thrown: unknown) => thrown);
				expect(databaseOutage(error)).toMatchObject({ status: 503 });
			}
		});
	});
});

describe('statements of transactions are prepared', () => {
	let own: Database<Schema>;
	beforeAll(async () => {
		own = createDatabase({ url: testDatabase.url, applicationName: 'prepared', logger, poolMax: 1 });
		await own.insertInto('counters').values({ id: 50, count: 7 }).execute();
	});
	afterAll(() => own.destroy());

	let attempts = 0;
	const read = (find = (query: () => Promise<unknown>) => query()) => {
		attempts = 0;
		return inTransaction(own, (transaction) => {
			attempts += 1;
			return find(() =>
				transaction.selectFrom('counters').selectAll().where('id', '=', 50).executeTakeFirst(),
			);
		});
	};
	const isPrepared = async () => {
		const { rows } = await sql<{ count: number }>`
			select count(*) from pg_prepared_statements where statement like '%from "counters"%'`.execute(own);
		return (rows[0]?.count ?? 0) > 0;
	};

	// A migration of the next version adds columns while this one runs; "cached plan must not change result type".
	test.each([
		['a query', undefined],
		['the records of a page', prepared],
	])('and again, with the whole transaction, after the columns of %s have changed', async (_name, find) => {
		await read(find);
		expect(await isPrepared()).toBe(true);
		await sql`alter table counters add column note text`.execute(db);
		expect(await read(find)).toEqual({ id: 50, count: 7, note: null });
		expect(attempts).toBe(2);
		await read(find);
		expect(attempts).toBe(1);
		await sql`alter table counters drop column note`.execute(db);
	});

	// A pooler that doesn't keep them gives the next transaction a connection that doesn't know the statement.
	test('no more after a connection did not know one', async () => {
		await read();
		await sql`do 'begin execute ''deallocate all''; end'`.execute(own);
		// The statement that names the author is refused, before the work begins.
		expect(await read()).toEqual({ id: 50, count: 7 });
		expect(await isPrepared()).toBe(false);
	});

	test('not outside of transactions: the plan of a list depends on its values', async () => {
		const other = createDatabase<Schema>({
			url: testDatabase.url,
			applicationName: 'lists',
			logger,
			poolMax: 1,
		});
		await other.selectFrom('counters').selectAll().where('id', '=', 50).execute();
		const { rows } = await sql<{ count: number }>`select count(*) from pg_prepared_statements`.execute(other);
		expect(rows).toEqual([{ count: 0 }]);
		await other.destroy();
	});
});
