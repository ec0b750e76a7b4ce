import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Every list says how many there are; with this they are counted in a small index, not in the wide records. */
export const horsesStatusIndex: Migration = {
	up: async (db) => {
		await sql`create index horses_status_index on horses (status)`.execute(db);
	},
};
