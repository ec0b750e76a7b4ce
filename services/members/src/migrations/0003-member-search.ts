import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** A copy of what search reads, a quarter of a member's bytes; written together with the member. */
export const memberSearch: Migration = {
	up: async (db) => {
		await sql`create extension if not exists pg_trgm`.execute(db);
		await sql`
			create table member_search (
				id uuid primary key constraint member_search_id_fkey references members (id) on delete cascade,
				search_text text not null,
				sort_name text collate "C" not null,
				status text not null,
				suspension_ends_at timestamptz,
				deleted_at timestamptz,
				membership_type text not null,
				home_club_id uuid
			)`.execute(db);
		// Without fastupdate a member is in the index once it is written, not in a list that each search has to read through.
		await sql`
			create index member_search_text_index on member_search using gin (search_text gin_trgm_ops)
			with (fastupdate = off)`.execute(db);
	},
};
