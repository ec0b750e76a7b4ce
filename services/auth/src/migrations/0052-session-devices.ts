import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** What a user needs to recognise a session; null in those of the version before. */
export const sessionDevices: Migration = {
	up: async (db) => {
		await sql`
			alter table sessions
				add column user_agent text,
				add column last_used_at timestamptz(3)`.execute(db);
	},
};
