import type { Queryable } from '@paddock/database';
import { sql } from 'kysely';

/** The number of queries to this database that wait for a lock. */
export async function waitingForLocks<Schema>(db: Queryable<Schema>): Promise<number> {
	// A transaction caches its first snapshot of the connections and would not count later ones.
	await sql`select pg_stat_clear_snapshot()`.execute(db);
	const { rows } = await sql<{ waiting: number }>`
		select count(*) as waiting from pg_stat_activity
		where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
	return rows[0]?.waiting ?? 0;
}
