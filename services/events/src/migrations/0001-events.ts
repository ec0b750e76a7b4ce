import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Venue and organiser are snapshots: what was announced stays so, whatever happens to their records. */
export const events: Migration = {
	up: async (db) => {
		await sql`create extension if not exists pg_trgm`.execute(db);
		await sql`create sequence event_numbers as integer minvalue 1 maxvalue 99999 start 10001`.execute(db);
		await sql`
			create table events (
				id uuid primary key default gen_random_uuid(),
				event_number text not null constraint events_event_number_key unique
					check (event_number ~ '^[0-9]{5}$'),
				name text not null,
				description text,
				start_date date not null,
				end_date date not null check (end_date - start_date between 0 and 13),
				starts_at timestamptz not null,
				ends_at timestamptz not null check (ends_at > starts_at),
				venue_id uuid not null,
				venue_name text not null,
				venue_city text,
				venue_state_code text,
				venue_country_code text not null,
				venue_time_zone text not null,
				organiser_club_id uuid not null,
				organiser_club_name text not null,
				ruleset text not null check (ruleset in ('OETO', 'FEI')),
				category text not null,
				disciplines text[] not null check (cardinality(disciplines) > 0),
				is_public boolean not null,
				entries_open_at timestamptz,
				entry_deadline timestamptz check (entry_deadline > entries_open_at),
				late_entry_until timestamptz check (late_entry_until >= entry_deadline),
				max_entries integer check (max_entries > 0),
				entry_fee integer not null check (entry_fee >= 0),
				late_surcharge integer not null check (late_surcharge >= 0),
				stable_fee integer not null check (stable_fee >= 0),
				officials json not null,
				status text not null default 'DRAFT'
					check (status in ('DRAFT', 'PUBLISHED', 'COMPLETED', 'CANCELLED')),
				cancelled_reason text check ((status = 'CANCELLED') = (cancelled_reason is not null)),
				is_demo boolean not null default false,
				search_text text not null,
				created_at timestamptz not null,
				updated_at timestamptz not null,
				version integer not null default 1
			)`.execute(db);
		await sql`create index events_start_date_index on events (start_date, id)`.execute(db);
		await sql`create index events_organiser_club_id_index on events (organiser_club_id)`.execute(db);
		await sql`create index events_search_text_index on events using gin (search_text gin_trgm_ops)`.execute(
			db,
		);
	},
};
