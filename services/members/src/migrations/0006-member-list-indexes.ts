import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** For lists of one state, of what has changed since and of deleted members, which otherwise read every member. */
export const memberListIndexes: Migration = {
	up: async (db) => {
		await sql`
			create index members_state_code_index on members (state_code, sort_name, id) include (
				status, suspension_ends_at, deleted_at
			)`.execute(db);
		await sql`create index members_updated_at_index on members (updated_at)`.execute(db);
		await sql`
			create index members_suspension_ends_at_index on members (suspension_ends_at)
			where suspension_ends_at is not null`.execute(db);
		await sql`
			create index members_deleted_index on members (sort_name, id) where deleted_at is not null
		`.execute(db);
	},
};
