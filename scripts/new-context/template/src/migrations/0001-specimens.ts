import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

export const specimens: Migration = {
	up: async (db) => {
		await sql`
			create table specimens (
				id uuid primary key default gen_random_uuid(),
				name text not null constraint specimens_name_key unique,
				city text,
				is_active boolean not null,
				is_demo boolean not null default false,
				search_text text not null,
				version integer not null default 1
			)`.execute(db);
	},
};
