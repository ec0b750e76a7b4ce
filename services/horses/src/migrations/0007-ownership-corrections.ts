import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** The office may correct a horse's last ownership period; each row keeps the period as it was and as it became. */
export const ownershipCorrections: Migration = {
	up: async (db) => {
		await sql`
			create table ownership_corrections (
				id uuid primary key default gen_random_uuid(),
				horse_id uuid not null
					constraint ownership_corrections_horse_id_fkey references horses (id) on delete cascade,
				reason text not null,
				before jsonb not null,
				after jsonb not null,
				corrected_by uuid not null,
				corrected_at timestamptz not null
			)`.execute(db);
		await sql`create index ownership_corrections_horse_id_index on ownership_corrections (horse_id)`.execute(
			db,
		);
	},
};
