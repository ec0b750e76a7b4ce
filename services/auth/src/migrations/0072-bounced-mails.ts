import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** The mail whose bounce was stored last, so that its report changes nothing when it comes again. */
export const bouncedMails: Migration = {
	up: async (db) => {
		await sql`alter table users add column bounced_message_id text`.execute(db);
	},
};
