import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { requestSignal } from '@paddock/resilience';
import { silentLogger } from '@paddock/telemetry';
import { createTestDatabase, eventually, fillTestDatabase, type TestDatabase } from '@paddock/testing';
import { sql } from 'kysely';
import { createDatabase, type Database } from './database.ts';
import { cancelStatistics, statistics } from './statistics.ts';

interface Schema {
	small: { id: number };
	large: { id: number; text: string };
}

const logger = silentLogger();
let testDatabase: TestDatabase;
let db: Database<Schema>;

beforeAll(async () => {
	testDatabase = await createTestDatabase({
		name: 'counted',
		prepare: async (url) => {
			const empty = createDatabase({ url, applicationName: 'test', logger });
			await sql`create table small as select 1 as id`.execute(empty);
			// 40 MB, stored uncompressed.
			await sql`create table large (id int, text text)`.execute(empty);
			await sql`alter table large alter text set storage plain`.execute(empty);
			await fillTestDatabase(
				url,
				`insert into large select n, repeat('x', 7000) from generate_series(1, 5200) n`,
			);
			await empty.destroy();
		},
	});
	db = createDatabase({ url: testDatabase.url, applicationName: 'counted', logger });
});

afterAll(async () => {
	await db.destroy();
	await testDatabase.drop();
});

async function rowsOf(table: keyof Schema, at: string, key = 'all'): Promise<[number, string]> {
	const { numbers, countedAt } = await statistics(
		db,
		{ key, table, now: new Date(at) },
		async (transaction) => {
			const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
				transaction,
			);
			return rows[0]?.n ?? 0;
		},
	);
	return [numbers, countedAt.toISOString()];
}

test('a small table is counted on each call', async () => {
	expect(await rowsOf('small', '2026-01-01T12:00:00Z')).toEqual([1, '2026-01-01T12:00:00.000Z']);
	await db.insertInto('small').values({ id: 2 }).execute();
	expect(await rowsOf('small', '2026-01-01T12:00:01Z')).toEqual([2, '2026-01-01T12:00:01.000Z']);
});

test('the numbers of a large table stay for a minute, and are then returned while new ones are counted', async () => {
	const first = await rowsOf('large', '2026-01-01T12:00:00Z');
	expect(first).toEqual([5_200, '2026-01-01T12:00:00.000Z']);
	await db.insertInto('large').values({ id: 0, text: '' }).execute();
	expect(await rowsOf('large', '2026-01-01T12:00:59Z')).toEqual(first);
	expect(await rowsOf('large', '2026-01-01T12:01:00Z')).toEqual(first);
	await eventually('they are counted again', async () => {
		const [count, at] = await rowsOf('large', '2026-01-01T12:01:30Z');
		return count === 5_201 && at === '2026-01-01T12:01:00.000Z';
	});
	// Numbers of ten minutes ago are not returned.
	expect(await rowsOf('large', '2026-01-01T12:20:00Z')).toEqual([5_201, '2026-01-01T12:20:00.000Z']);
});

test('all callers share one count of a large table', async () => {
	let counts = 0;
	const one = () =>
		statistics(db, { key: 'shared', table: 'large', now: new Date() }, async (transaction) => {
			counts += 1;
			await sql`select pg_sleep(0.2)`.execute(transaction);
			return counts;
		});
	const all = await Promise.all(Array.from({ length: 20 }, one));
	expect([counts, new Set(all.map(({ numbers }) => numbers))]).toEqual([1, new Set([1])]);
});

test('a large table is counted by one process of the server, within a time limit of its own', async () => {
	const { numbers } = await statistics(
		db,
		{ key: 'settings', table: 'large', now: new Date() },
		async (transaction) => {
			const { rows } = await sql<{ workers: string; limit: string }>`
				select current_setting('max_parallel_workers_per_gather') as workers,
					current_setting('statement_timeout') as limit`.execute(transaction);
			return rows[0];
		},
	);
	expect(numbers).toEqual({ workers: '0', limit: '1min' });
});

test('a failed count is reported to those who wait, and tried again by the next caller', async () => {
	const of = { key: 'failing', table: 'large', now: new Date() };
	const failing = statistics(db, of, () => Promise.reject(new Error('cannot count')));
	await expect(failing).rejects.toThrow('cannot count');
	await expect(statistics(db, of, async () => 7)).resolves.toMatchObject({ numbers: 7 });
});

test('a query of a heavy request is cancelled in the database when the request ends', async () => {
	const running = async () => {
		const { rows } = await sql`
			select from pg_stat_activity where state = 'active' and query like 'select pg_sleep(25)%'`.execute(db);
		return rows.length;
	};
	const controller = new AbortController();
	const query = requestSignal.run(controller.signal, () =>
		sql`select pg_sleep(25)`.execute(db).then(
			() => 'finished',
			() => 'ended',
		),
	);
	await eventually('the query runs', async () => (await running()) === 1);
	controller.abort();
	expect(await query).toBe('ended');
	await eventually('the server has cancelled it', async () => (await running()) === 0);
});

test('the close cancels the count that runs in the database, and those that wait', async () => {
	const closing = createDatabase<Schema>({ url: testDatabase.url, applicationName: 'closing', logger });
	const countOf = (key: string) =>
		statistics(closing, { key, table: 'large', now: new Date() }, (transaction) =>
			sql`select pg_sleep(26)`.execute(transaction),
		).then(
			() => 'finished',
			() => 'ended',
		);
	const running = async () => {
		const { rows } = await sql`
			select from pg_stat_activity where state = 'active' and query like 'select pg_sleep(26)%'`.execute(db);
		return rows.length;
	};
	try {
		const counts = ['one', 'two'].map(countOf);
		await eventually('a count runs', async () => (await running()) === 1);
		cancelStatistics(closing);
		expect(await Promise.all([...counts, countOf('three')])).toEqual(['ended', 'ended', 'ended']);
		await eventually('the server has cancelled it', async () => (await running()) === 0);
	} finally {
		await closing.destroy();
	}
});
