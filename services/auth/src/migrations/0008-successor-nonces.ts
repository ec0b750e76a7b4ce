import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** What a refresh token was derived with, so that a second use of its predecessor can return it again. */
export const successorNonces: Migration = {
	up: async (db) => {
		await sql`alter table refresh_tokens add column nonce bytea`.execute(db);
	},
};
