import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * One open entry per horse and event (OeTO §26.1). Existing second entries stay, marked, so that no rider loses
 * a place that was accepted and paid for.
 */
export const oneEntryPerHorse: Migration = {
	up: async (db) => {
		await sql`alter table entries add column is_additional boolean not null default false`.execute(db);
		await sql`
			update entries set is_additional = true
			from (
				select id, row_number() over (partition by event_id, horse_id order by entry_number) as place
				from entries where status in ('SUBMITTED', 'ACCEPTED', 'WAITLISTED')
			) as list
			where list.id = entries.id and list.place > 1`.execute(db);
		await sql`
			create unique index entries_event_id_horse_id_key on entries (event_id, horse_id)
				where status in ('SUBMITTED', 'ACCEPTED', 'WAITLISTED') and not is_additional`.execute(db);
	},
};
