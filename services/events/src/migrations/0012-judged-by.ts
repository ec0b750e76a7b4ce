import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/**
 * The data of rider and horse by which an entry is judged again when its event changes; null for entries of before, for
 * which they are looked up at the first change. The numbers of competitions are compared at the end of a statement, so
 * that one statement can swap them.
 */
export const judgedBy: Migration = {
	up: async (db) => {
		await sql`alter table entries add column judged_by jsonb`.execute(db);
		await sql`
			create index entries_in_doubt_index on entries (event_id)
				where checks @> '[{"level": "ERROR"}]' or checks @> '[{"code": "NOT_RECHECKED"}]'`.execute(db);
		await sql`
			alter table competitions
				drop constraint competitions_event_id_number_key,
				add constraint competitions_event_id_number_key unique (event_id, number) deferrable initially immediate`.execute(
			db,
		);
	},
};
