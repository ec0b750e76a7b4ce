import { concurrentIndexes, type Migration, refilledTexts, searchLines } from '@paddock/database';
import { sql } from 'kysely';

const filled = refilledTexts(
	{
		table: 'competitions',
		read: ['name', 'level', 'task'],
		write: ['search_text'],
		compute: (...texts) => [searchLines(...texts)],
	},
	{
		table: 'entries',
		read: ['horse_name', 'horse_head_number', 'rider_name', 'is_confirmed'],
		write: ['search_text'],
		// A rider who has not confirmed is not found by name.
		compute: (horse = null, headNumber = null, rider = null, isConfirmed) => [
			searchLines(horse, headNumber, isConfirmed === 'true' ? rider : null),
		],
	},
);

/** The texts that `q` finds, for the lists that had none. */
export const listTexts: Migration = {
	up: async (db) => {
		for (const table of ['competitions', 'entries'])
			await sql`alter table ${sql.table(table)} add column search_text text not null default ''`.execute(db);
		await filled.up(db);
	},
};

export const listTextIndexes = concurrentIndexes({
	entries_search_text_index: 'entries using gin (search_text gin_trgm_ops)',
	events_created_at_index: 'events (created_at, id)',
});
