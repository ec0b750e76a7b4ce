import { requestDeadline } from '@paddock/resilience';
import { type Kysely, sql } from 'kysely';

/**
 * Resolves when the database responds to a query within `timeoutMs`; otherwise rejects with the reason. For readiness.
 */
export async function checkDatabase<Schema>(db: Kysely<Schema>, timeoutMs: number): Promise<void> {
	// The deadline also frees the connection: otherwise the checks of a hanging database would occupy the pool.
	await requestDeadline.run(performance.now() + timeoutMs, () => sql`select 1`.execute(db));
}

const readinessTimeoutMs = 1_000;

/** The readiness check of a service's database. */
export function databaseCheck<Schema>(db: Kysely<Schema>): { name: string; check: () => Promise<void> } {
	return { name: 'database', check: () => checkDatabase(db, readinessTimeoutMs) };
}
