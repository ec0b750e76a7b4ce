import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** An arena in use cannot be deleted; this takes it out of use. */
export const inactiveArenas: Migration = {
	up: async (db) => {
		await sql`alter table arenas add column is_active boolean not null default true`.execute(db);
	},
};
