import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** Entries that wait for the horse's side. Those made before count as confirmed by it. */
export const horseConfirmations: Migration = {
	up: async (db) => {
		await sql`
			alter table entries
				add column is_horse_confirmed boolean not null default true,
				add constraint entries_horse_confirmed_check check (
					is_horse_confirmed or (amount_due = 0 and status not in ('SUBMITTED', 'ACCEPTED', 'WAITLISTED'))
				)`.execute(db);
	},
};
