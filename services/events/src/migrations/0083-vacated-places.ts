import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** The places of which none was free beside that of a late withdrawal, see `fullPlaces`; null = marked by an earlier version. */
export const vacatedPlaces: Migration = {
	up: async (db) => {
		await sql`alter table entries add column vacated_places text[]`.execute(db);
	},
};
