import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

export const clubs: Migration = {
	up: async (db) => {
		await sql`
			create table clubs (
				id uuid primary key default gen_random_uuid(),
				club_number text not null constraint clubs_club_number_key unique check (club_number ~ '^[1-9][0-9]{3}$'),
				name text not null,
				short_name text,
				state_code text,
				street text,
				postal_code text,
				city text,
				country_code text,
				email text,
				website text,
				status text not null check (status in ('ACTIVE', 'INACTIVE')),
				is_demo boolean not null default false,
				search_text text not null,
				version integer not null default 1,
				check ((city is null) = (country_code is null)),
				check (city is not null or (street is null and postal_code is null))
			)`.execute(db);
	},
};
