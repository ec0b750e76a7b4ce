import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * Identifiers are unique over deleted members too: a number is never given to a second person. The index of the list
 * holds what its filters read, so that counting and skipping need not visit the rows.
 */
export const members: Migration = {
	up: async (db) => {
		await sql`
			create table members (
				id uuid primary key default gen_random_uuid(),
				membership_number text not null constraint members_membership_number_key unique
					check (membership_number ~ '^[1-9][0-9]{7}$'),
				federation_number text constraint members_federation_number_key unique,
				fei_id text constraint members_fei_id_key unique,
				title text,
				first_name text not null,
				last_name text not null,
				date_of_birth date not null,
				gender text not null check (gender in ('FEMALE', 'MALE', 'DIVERSE', 'UNKNOWN')),
				nationality text not null,
				street text,
				postal_code text,
				city text,
				state_code text,
				country_code text,
				email text,
				phone text,
				home_club_id uuid constraint members_home_club_id_fkey references clubs (id),
				membership_type text not null check (membership_type in ('FULL', 'YOUTH', 'HONORARY', 'ASSOCIATE')),
				status text not null check (status in ('PENDING', 'ACTIVE', 'SUSPENDED')),
				status_reason text,
				suspended_until date check (suspended_until is null or status = 'SUSPENDED'),
				suspension_ends_at timestamptz generated always as (
					(suspended_until + 1)::timestamp at time zone 'Europe/Vienna'
				) stored,
				join_date date not null,
				fee_paid_for_year integer,
				guardian json,
				emergency_contact json,
				publish_results_given boolean not null,
				publish_results_at timestamptz,
				newsletter_given boolean not null,
				newsletter_at timestamptz,
				notes text,
				created_at timestamptz not null,
				updated_at timestamptz not null,
				deleted_at timestamptz,
				name_key text not null,
				sort_name text collate "C" not null,
				is_demo boolean not null default false,
				version integer not null default 1,
				check ((city is null) = (country_code is null)),
				check (city is not null or (street is null and postal_code is null and state_code is null))
			)`.execute(db);
		await sql`
			create index members_sort_name_index on members (sort_name, id) include (
				status, suspension_ends_at, deleted_at, home_club_id, membership_type, state_code, nationality,
				fee_paid_for_year, updated_at
			)`.execute(db);
		await sql`
			create index members_status_index on members (status, suspension_ends_at) where deleted_at is null
		`.execute(db);
		await sql`create index members_home_club_id_index on members (home_club_id)`.execute(db);
		await sql`create index members_name_key_index on members (date_of_birth, name_key)`.execute(db);
	},
};
