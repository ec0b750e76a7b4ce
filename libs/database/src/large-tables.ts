import { setTimeout as delay } from 'node:timers/promises';
import { type Kysely, sql } from 'kysely';
import { errorCode } from './error-code.ts';

/** A table below this size is changed within the transaction of the migrations. */
const smallBytes = 1_048_576;
export const pollMs = 500;
const lockTimeoutMs = 200;
const attemptsMax = 20;

export async function isSmall<Schema>(db: Kysely<Schema>, table: string): Promise<boolean> {
	const { rows } = await sql<{ bytes: number }>`select pg_table_size(${table}::regclass) as bytes`.execute(
		db,
	);
	return Number(rows[0]?.bytes ?? 0) < smallBytes;
}

// A deadlock, of which the server ends one transaction, and a lock that was not free in time.
const conflicts: ReadonlySet<string | undefined> = new Set(['40P01', '55P03']);

/** Also as the cause of a migration that failed. */
export function isConflict(error: unknown): boolean {
	return conflicts.has(errorCode(error)) || (error instanceof Error && conflicts.has(errorCode(error.cause)));
}

/** Repeats the work after a conflict with another process. @throws any other error of it, and the last conflict */
export async function retrying<Result>(work: () => Promise<Result>): Promise<Result> {
	for (let attempt = 1; ; attempt += 1)
		try {
			return await work();
		} catch (error) {
			if (!isConflict(error) || attempt === attemptsMax) throw error;
			await delay(pollMs);
		}
}

/**
 * Runs the statements in a transaction that first takes a lock on their table. `lock table` needs no snapshot, and the transaction has
 * no other lock: while it waits, nothing waits for it, not even an index build, which waits for older snapshots. Each attempt ends
 * soon, as requests queue behind it.
 * @throws the error if the lock was not free in any attempt
 */
export async function withTableLock<Schema>(
	db: Kysely<Schema>,
	{ table, mode }: { readonly table: string; readonly mode: 'share update exclusive' | 'access exclusive' },
	statements: readonly string[],
): Promise<void> {
	await retrying(() =>
		db.transaction().execute(async (transaction) => {
			await sql`set local lock_timeout = ${sql.lit(lockTimeoutMs)}`.execute(transaction);
			await sql.raw(`lock table ${table} in ${mode} mode`).execute(transaction);
			for (const statement of statements) await sql.raw(statement).execute(transaction);
		}),
	);
}
