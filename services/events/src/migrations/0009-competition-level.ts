import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** `class` is a reserved word in most languages of generated clients. */
export const competitionLevel: Migration = {
	up: async (db) => {
		await sql`alter table competitions rename column class to level`.execute(db);
	},
};
