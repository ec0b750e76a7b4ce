import { type Migration, refilledTexts, searchLines } from '@paddock/database';
import { sql } from 'kysely';

const texts = {
	states: ['name', 'abbreviation', 'iso3166_2', 'federation_code'],
	age_classes: ['name_en', 'name_de', 'code'],
	arenas: ['name'],
} as const;

/** The texts that `q` finds, for the lists that had none. */
export const searchTexts: Migration = {
	up: async (db) => {
		for (const [table, read] of Object.entries(texts)) {
			await sql`alter table ${sql.table(table)} add column search_text text not null default ''`.execute(db);
			const filled = refilledTexts({
				table,
				read,
				write: ['search_text'],
				compute: (...values) => [searchLines(...values)],
			});
			await filled.up(db);
		}
	},
};
