import { AsyncLocalStorage } from 'node:async_hooks';
import { requestSignal } from '@paddock/resilience';
import { type Kysely, sql, type Transaction } from 'kysely';
import { queryTimeLimit } from './bounded-pool.ts';
import { inTransaction } from './in-transaction.ts';
import { type Counted, type StatisticsStore, statisticsOf } from './pooled-dialect.ts';

interface CountOptions {
	/** Differs for callers who get other numbers; not by the day, since all would wait for a count at midnight. */
	readonly key: string;
	/** The table that is counted, in snake_case. */
	readonly table: string;
	readonly now: Date;
}

/** Up to this size a table is counted on each call, which takes some tens of milliseconds. */
const largeBytes = 32 * 1_048_576;
const ageMsMax = 60_000;
/** Older numbers are not returned: the caller waits for new ones. */
const staleMsMax = 600_000;
/** Services count at this interval, and when they start, so that callers wait for no count of these numbers but the first. */
export const statisticsIntervalMs = staleMsMax / 2;
const countMsMax = 60_000;
const keysMax = 100;

/** A count continues for other callers when the request that began it has ended. */
const outsideOfRequests = AsyncLocalStorage.snapshot();

/**
 * Numbers of a whole table in one snapshot. Those of a large table are at most a minute older than the call before this one:
 * all callers share one count, and get the numbers before it while it runs.
 */
export async function statistics<Schema, Numbers>(
	db: Kysely<Schema>,
	{ key, table, now }: CountOptions,
	count: (transaction: Transaction<Schema>) => Promise<Numbers>,
): Promise<Counted<Numbers>> {
	const inSnapshot = () => inTransaction(db, count, { isolation: 'repeatable read' });
	if (!(await isLarge(db, table))) return { numbers: await inSnapshot(), countedAt: now };
	const store = statisticsOf(db);
	const known = store.counted.get(key) as Counted<Numbers> | undefined;
	const ageMs = known === undefined ? Number.POSITIVE_INFINITY : now.getTime() - known.countedAt.getTime();
	if (known !== undefined && Math.abs(ageMs) < ageMsMax) return known;
	const next = (store.counting.get(key) ?? begin(store, key, now, () => slowly(db, count))) as Promise<
		Counted<Numbers>
	>;
	return known !== undefined && Math.abs(ageMs) < staleMsMax ? known : next;
}

function begin<Numbers>(
	store: StatisticsStore,
	key: string,
	now: Date,
	count: () => Promise<Numbers>,
): Promise<Counted<Numbers>> {
	const { signal } = store.closing;
	const unlessClosed = () => {
		signal.throwIfAborted();
		return requestSignal.run(signal, count);
	};
	const counting = outsideOfRequests(() => store.last.then(unlessClosed)).then((numbers) => {
		const counted = { numbers, countedAt: now };
		store.counted.delete(key);
		store.counted.set(key, counted);
		const [oldest] = store.counted.keys();
		if (store.counted.size > keysMax && oldest !== undefined) store.counted.delete(oldest);
		return counted;
	});
	store.counting.set(key, counting);
	// A caller with known numbers doesn't wait; the next one tries again.
	store.last = counting.catch(() => {}).finally(() => store.counting.delete(key));
	return counting;
}

/** Cancels the counts that run and wait, before the database is closed; later ones are refused. */
export function cancelStatistics<Schema>(db: Kysely<Schema>): void {
	statisticsOf(db).closing.abort();
}

function slowly<Schema, Numbers>(
	db: Kysely<Schema>,
	count: (transaction: Transaction<Schema>) => Promise<Numbers>,
): Promise<Numbers> {
	return queryTimeLimit.run(countMsMax, () =>
		inTransaction(
			db,
			async (transaction) => {
				// Without parallel workers, which would take the processors from requests.
				await sql`
					select set_config('statement_timeout', ${String(countMsMax)}, true),
						set_config('max_parallel_workers_per_gather', '0', true)`.execute(transaction);
				return count(transaction);
			},
			{ isolation: 'repeatable read' },
		),
	);
}

async function isLarge<Schema>(db: Kysely<Schema>, table: string): Promise<boolean> {
	const { rows } = await sql<{ readonly isLarge: boolean }>`
		select pg_table_size(${table}::regclass) > ${sql.lit(largeBytes)} as "isLarge"`.execute(db);
	return rows[0]?.isLarge === true;
}
