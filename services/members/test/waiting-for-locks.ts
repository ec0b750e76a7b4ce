import { sql } from 'kysely';
import type { MembersQueryable } from '../src/database-schema.ts';

/** How many queries to this database wait for somebody's lock. */
export async function waitingForLocks(db: MembersQueryable): Promise<number> {
	const { rows } = await sql<{ waiting: number }>`
		select count(*) as waiting from pg_stat_activity
		where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
	return rows[0]?.waiting ?? 0;
}
