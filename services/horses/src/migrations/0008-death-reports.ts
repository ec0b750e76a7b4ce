import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Owners report a death, the office decides; each decision is kept with its reason. */
export const deathReports: Migration = {
	up: async (db) => {
		await sql`alter table horses add column death_report jsonb, add column before_death jsonb`.execute(db);
		await sql`create index horses_death_report_index on horses (id) where death_report is not null`.execute(
			db,
		);
		await sql`
			create table death_decisions (
				id uuid primary key default gen_random_uuid(),
				horse_id uuid not null
					constraint death_decisions_horse_id_fkey references horses (id) on delete cascade,
				decision text not null check (decision in ('CONFIRMED', 'REJECTED', 'UNDONE')),
				date_of_death date not null,
				reason text,
				report jsonb,
				decided_by uuid not null,
				decided_at timestamptz not null
			)`.execute(db);
		await sql`create index death_decisions_horse_id_index on death_decisions (horse_id)`.execute(db);
	},
};
