import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Changes of an address that wait for the confirmation at both addresses. */
export const emailChanges: Migration = {
	up: async (db) => {
		await sql`
			create table email_changes (
				id uuid primary key default gen_random_uuid(),
				user_id uuid not null constraint email_changes_user unique references users on delete cascade,
				new_email text not null,
				left_at timestamptz(3),
				entered_at timestamptz(3),
				created_at timestamptz(3) not null
			)`.execute(db);
	},
};
