import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * Limits that apply to every writer: a horse once per competition among the open entries, a waiting list whose positions
 * are never double (deferred, as a withdrawal moves all behind it at once). The numbers of places are kept by a lock on
 * the event's row.
 */
export const entries: Migration = {
	up: async (db) => {
		await sql`
			create table entries (
				id uuid primary key default gen_random_uuid(),
				event_id uuid not null constraint entries_event_id_fkey references events (id),
				entry_number integer not null check (entry_number > 0),
				type text not null check (type in ('REGULAR', 'LATE')),
				status text not null
					check (status in ('SUBMITTED', 'ACCEPTED', 'WAITLISTED', 'REJECTED', 'WITHDRAWN', 'CANCELLED')),
				status_reason text,
				position integer check (position > 0),
				rider_member_id uuid not null,
				rider_name text not null,
				rider_club_id uuid,
				rider_club_name text,
				rider_nation text not null,
				rider_age_classes text[] not null,
				horse_id uuid not null,
				horse_name text not null,
				horse_head_number text,
				horse_birth_year integer not null,
				horse_sire_name text,
				horse_keeper_ids uuid[] not null,
				checks jsonb not null,
				amount_due integer not null check (amount_due >= 0),
				entered_by uuid not null,
				created_at timestamptz not null,
				updated_at timestamptz not null,
				version integer not null default 1,
				constraint entries_event_id_entry_number_key unique (event_id, entry_number),
				check ((status = 'WAITLISTED') = (position is not null)),
				constraint entries_waiting_list_excl exclude using btree (event_id with =, position with =)
					where (status = 'WAITLISTED') deferrable initially deferred
			)`.execute(db);
		await sql`create index entries_rider_member_id_index on entries (rider_member_id)`.execute(db);
		await sql`create index entries_horse_id_index on entries (horse_id)`.execute(db);
		await sql`create index entries_event_id_status_index on entries (event_id, status)`.execute(db);
		await sql`
			create table starts (
				entry_id uuid not null constraint starts_entry_id_fkey references entries (id) on delete cascade,
				competition_id uuid not null constraint starts_competition_id_fkey references competitions (id),
				status text not null
					check (status in ('SUBMITTED', 'ACCEPTED', 'WAITLISTED', 'REJECTED', 'WITHDRAWN', 'CANCELLED')),
				horse_id uuid not null,
				rider_member_id uuid not null,
				start_fee integer not null check (start_fee >= 0),
				primary key (entry_id, competition_id)
			)`.execute(db);
		await sql`
			create unique index starts_competition_id_horse_id_key on starts (competition_id, horse_id)
				where status in ('SUBMITTED', 'ACCEPTED', 'WAITLISTED')`.execute(db);
		await sql`create index starts_competition_id_status_index on starts (competition_id, status)`.execute(db);
	},
};
