import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * Ledger lines, of which `amount_due` is the sum, boxes, and swaps of rider or horse. Triggers keep lines and sum equal,
 * also while instances of the version before this one, which write `amount_due` alone, are running.
 */
export const entryLedger: Migration = {
	up: async (db) => {
		await sql`
			alter table events
				add column swap_fee integer not null default 0 check (swap_fee >= 0),
				add column max_boxes integer check (max_boxes >= 0)`.execute(db);
		await sql`
			alter table entries
				alter column amount_due set default 0,
				add column boxes integer not null default 0 check (boxes >= 0),
				add column vacated_at timestamptz`.execute(db);
		await sql`
			create index entries_vacated_index on entries (event_id, vacated_at) where vacated_at is not null`.execute(
			db,
		);
		await sql`
			create table ledger_lines (
				id bigint generated always as identity primary key,
				entry_id uuid not null constraint ledger_lines_entry_id_fkey references entries (id) on delete cascade,
				kind text not null check (kind in ('ENTRY', 'START', 'LATE', 'SWAP', 'BOX', 'REFUND')),
				amount integer not null check (amount <> 0),
				competition_id uuid
					constraint ledger_lines_competition_id_fkey references competitions (id) on delete set null,
				reason text not null,
				booked_by uuid,
				booked_at timestamptz not null
			)`.execute(db);
		await sql`create index ledger_lines_entry_id_index on ledger_lines (entry_id, id)`.execute(db);
		await sql`
			create table entry_swaps (
				id bigint generated always as identity primary key,
				entry_id uuid not null constraint entry_swaps_entry_id_fkey references entries (id) on delete cascade,
				from_rider_member_id uuid not null,
				from_rider_name text not null,
				to_rider_member_id uuid not null,
				to_rider_name text not null,
				from_horse_id uuid not null,
				from_horse_name text not null,
				to_horse_id uuid not null,
				to_horse_name text not null,
				reason text,
				swapped_by uuid not null,
				swapped_at timestamptz not null
			)`.execute(db);
		await sql`create index entry_swaps_entry_id_index on entry_swaps (entry_id, id)`.execute(db);
		// The fees of today may differ from those of the day of entry; the remainder is the entry fee.
		await sql`
			with owed as (
				select entries.id, entries.amount_due, entries.entered_by, entries.created_at,
					case when entries.type = 'LATE' then events.late_surcharge else 0 end as late,
					(select coalesce(sum(start_fee), 0)::integer from starts
						where starts.entry_id = entries.id and starts.status <> 'CANCELLED') as started
				from entries join events on events.id = entries.event_id
				where entries.amount_due > 0
			), split as (select *, amount_due >= late + started as fits from owed)
			insert into ledger_lines (entry_id, kind, amount, competition_id, reason, booked_by, booked_at)
			select id, 'ENTRY', case when fits then amount_due - late - started else amount_due end, null::uuid,
				'Entry fee', entered_by, created_at
			from split where not fits or amount_due > late + started
			union all
			select split.id, 'START', starts.start_fee, starts.competition_id,
				'Start in no. ' || competitions.number, entered_by, created_at
			from split
				join starts on starts.entry_id = split.id
				join competitions on competitions.id = starts.competition_id
			where fits and starts.status <> 'CANCELLED' and starts.start_fee > 0
			union all
			select id, 'LATE', late, null::uuid, 'Late entry', entered_by, created_at
			from split where fits and late > 0`.execute(db);
		await sql`
			create function sum_ledger_lines() returns trigger language plpgsql as $$
			begin
				update entries set amount_due = ledger.total
				from (
					select entry_id, sum(amount)::integer as total from ledger_lines
					where entry_id in (select entry_id from booked) group by entry_id
				) as ledger
				where entries.id = ledger.entry_id and entries.amount_due <> ledger.total;
				return null;
			end $$`.execute(db);
		await sql`
			create trigger ledger_lines_sum after insert on ledger_lines
				referencing new table as booked for each statement execute function sum_ledger_lines()`.execute(db);
		await sql`
			create function book_amount_due() returns trigger language plpgsql as $$
			declare
				unbooked integer := new.amount_due
					- coalesce((select sum(amount) from ledger_lines where entry_id = new.id), 0);
			begin
				if unbooked <> 0 then
					insert into ledger_lines (entry_id, kind, amount, reason, booked_at)
					values (new.id, case when unbooked > 0 then 'ENTRY' else 'REFUND' end, unbooked,
						'Booked by a version without a ledger', new.updated_at);
				end if;
				return null;
			end $$`.execute(db);
		await sql`
			create trigger entries_book_amount_due after insert or update of amount_due on entries
				for each row when (pg_trigger_depth() = 0) execute function book_amount_due()`.execute(db);
	},
};
