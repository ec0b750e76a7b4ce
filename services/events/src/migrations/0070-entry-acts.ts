import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Who did what to an entry, in which capacity and for which member. Entries of earlier versions have no acts. */
export const entryActs: Migration = {
	up: async (db) => {
		await sql`
			create table entry_acts (
				id bigint generated always as identity primary key,
				entry_id uuid not null references entries (id) on delete cascade,
				act text not null,
				acting_as text not null,
				for_member_id uuid,
				acted_by uuid not null,
				acted_at timestamptz(3) not null
			)`.execute(db);
		await sql`create index entry_acts_entry on entry_acts (entry_id)`.execute(db);
	},
};
