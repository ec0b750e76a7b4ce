import { type Kysely, sql } from 'kysely';
import { QueryUnansweredError } from './bounded-pool.ts';

/** Resolves when the database answers a query within `timeoutMs`; rejects with why it did not. For readiness. */
export async function checkDatabase<Schema>(db: Kysely<Schema>, timeoutMs: number): Promise<void> {
	const { promise: expired, reject } = Promise.withResolvers<never>();
	const timer = setTimeout(() => reject(new QueryUnansweredError(timeoutMs)), timeoutMs);
	try {
		await Promise.race([sql`select 1`.execute(db), expired]);
	} finally {
		clearTimeout(timer);
	}
}

const readinessTimeoutMs = 1_000;

/** What a service's readiness says of its database. */
export function databaseCheck<Schema>(db: Kysely<Schema>): { name: string; check: () => Promise<void> } {
	return { name: 'database', check: () => checkDatabase(db, readinessTimeoutMs) };
}
