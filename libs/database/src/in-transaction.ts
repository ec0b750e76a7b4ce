import { type IsolationLevel, type Kysely, sql, type Transaction } from 'kysely';
import type { Queryable } from './database.ts';
import { isRetryableConflict } from './database-errors.ts';
import { transactionSlot } from './pooled-dialect.ts';

const attemptsMax = 3;

/**
 * Runs `work` in a transaction, and again from its start after a deadlock or a serialization conflict; so `work` must
 * have no effect outside the database. Transactions use at most half of the pool, see `PooledDialect`.
 * @throws any error of `work`, after the rollback; the conflict itself after the third attempt; ConnectionWaitError
 */
export async function inTransaction<Schema, Result>(
	db: Kysely<Schema>,
	work: (transaction: Transaction<Schema>) => Promise<Result>,
	options: { isolation?: IsolationLevel } = {},
): Promise<Result> {
	const release = await transactionSlot(db);
	try {
		for (let attempt = 1; ; attempt++) {
			try {
				const transaction = db.transaction().setIsolationLevel(options.isolation ?? 'read committed');
				return await transaction.execute(work);
			} catch (error) {
				if (attempt === attemptsMax || !isRetryableConflict(error)) throw error;
			}
		}
	} finally {
		release();
	}
}

/** Waits for the advisory lock of `key`; the lock is released when the transaction ends. */
export async function advisoryLock<Schema>(transaction: Queryable<Schema>, key: string): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
}
