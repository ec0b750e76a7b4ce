import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** A venue's state lies in the venue's country: the two-column reference holds that against every change at once. */
export const venues: Migration = {
	up: async (db) => {
		await sql`
			create table venues (
				id uuid primary key default gen_random_uuid(),
				name text not null,
				street text,
				postal_code text,
				city text,
				country_code text not null constraint venues_country_code_fkey references countries (iso_alpha2),
				state_code text,
				latitude double precision check (latitude between -90 and 90),
				longitude double precision check (longitude between -180 and 180),
				time_zone text not null,
				website text,
				stable_boxes integer check (stable_boxes >= 0),
				is_active boolean not null,
				is_demo boolean not null default false,
				search_text text not null,
				version integer not null default 1,
				check ((latitude is null) = (longitude is null)),
				check (city is not null or (street is null and postal_code is null)),
				constraint venues_state_code_fkey foreign key (state_code, country_code)
					references states (iso3166_2, country_code)
			)`.execute(db);
		await sql`create index venues_country_code_index on venues (country_code)`.execute(db);
		await sql`create index venues_state_code_index on venues (state_code)`.execute(db);
		await sql`
			create table arenas (
				id uuid primary key default gen_random_uuid(),
				venue_id uuid not null constraint arenas_venue_id_fkey references venues (id) on delete cascade,
				name text not null,
				type text not null check (type in ('COMPETITION', 'WARM_UP', 'LUNGING')),
				length_m numeric(6, 2) check (length_m > 0),
				width_m numeric(6, 2) check (width_m > 0),
				surface text not null check (surface in ('SAND', 'GRASS', 'TEXTILE', 'OTHER')),
				indoor boolean not null,
				floodlit boolean not null,
				version integer not null default 1,
				constraint arenas_venue_id_name_key unique (venue_id, name)
			)`.execute(db);
	},
};
