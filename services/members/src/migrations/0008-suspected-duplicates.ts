import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Marks records for the office: a member whom the writer could not see may be the same person. */
export const suspectedDuplicates: Migration = {
	up: async (db) => {
		await sql`alter table members add column duplicate_suspected boolean not null default false`.execute(db);
		await sql`
			create index members_duplicate_suspected_index on members (sort_name, id) where duplicate_suspected
		`.execute(db);
	},
};
