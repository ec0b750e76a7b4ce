import { type Kysely, sql } from 'kysely';
import { QueryTimeoutError } from './bounded-pool.ts';

/**
 * Resolves when the database responds to a query within `timeoutMs`; otherwise rejects with the reason. For readiness.
 */
export async function checkDatabase<Schema>(db: Kysely<Schema>, timeoutMs: number): Promise<void> {
	const { promise: expired, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(() => reject(new QueryTimeoutError(timeoutMs)), timeoutMs);
	try {
		await Promise.race([sql`select 1`.execute(db), expired]);
	} finally {
		clearTimeout(timer);
	}
}

const readinessTimeoutMs = 1_000;

/** The readiness check of a service's database. */
export function databaseCheck<Schema>(db: Kysely<Schema>): { name: string; check: () => Promise<void> } {
	return { name: 'database', check: () => checkDatabase(db, readinessTimeoutMs) };
}
