import { sql } from 'kysely';
import type { Queryable } from './database.ts';

/** Waits for the advisory lock of `key`; the lock is released when the transaction ends. */
export async function advisoryLock<Schema>(transaction: Queryable<Schema>, key: string): Promise<void> {
	await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(transaction);
}
