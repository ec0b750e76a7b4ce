import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

const statuses = `'SUBMITTED', 'PENDING_CONFIRMATION', 'ACCEPTED', 'WAITLISTED', 'REJECTED', 'WITHDRAWN', 'DECLINED', 'CANCELLED'`;

/**
 * Entries that wait for the rider's confirmation, and what decides who may read which details. `is_confirmed` stays false
 * of an entry that ended unconfirmed: its rider never agreed to be shown. Warnings stored so far get the subject that
 * their text has.
 */
export const entryConfirmations: Migration = {
	up: async (db) => {
		for (const table of ['entries', 'starts']) {
			const constraint = sql.ref(`${table}_status_check`);
			await sql`
				alter table ${sql.table(table)}
					drop constraint ${constraint},
					add constraint ${constraint} check (status in (${sql.raw(statuses)}))`.execute(db);
		}
		await sql`
			alter table entries
				add column rider_guardian_id uuid,
				add column horse_club_id uuid,
				add column is_confirmed boolean not null default true,
				add constraint entries_confirmed_check check (
					is_confirmed or (amount_due = 0 and status not in ('SUBMITTED', 'ACCEPTED', 'WAITLISTED'))
				)`.execute(db);
		await sql`
			update entries set checks = (
				select jsonb_agg(found || jsonb_build_object('about', case
					when found ->> 'message' like 'The registration fee of %' then 'HORSE' else 'RIDER'
				end) order by place)
				from jsonb_array_elements(checks) with ordinality as list (found, place)
			)
			where checks <> '[]'`.execute(db);
		await sql`create index entries_rider_club_id_index on entries (rider_club_id)`.execute(db);
		await sql`create index entries_rider_guardian_id_index on entries (rider_guardian_id)
			where rider_guardian_id is not null`.execute(db);
	},
};
