import type { Queryable } from '@paddock/database';
import { sql } from 'kysely';

/** How many queries to this database wait for somebody's lock now. */
export async function waitingForLocks<Schema>(db: Queryable<Schema>): Promise<number> {
	// A transaction keeps the list of connections that it saw first; those that came later it would never count.
	await sql`select pg_stat_clear_snapshot()`.execute(db);
	const { rows } = await sql<{ waiting: number }>`
		select count(*) as waiting from pg_stat_activity
		where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
	return rows[0]?.waiting ?? 0;
}
