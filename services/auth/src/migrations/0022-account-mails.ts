import type { Migration } from '@paddock/database';
import { sql } from 'kysely';

/** The last refusal of a mail to the account's address, and the mails that its owner does not want. */
export const accountMails: Migration = {
	up: async (db) => {
		await sql`
			alter table users
				add column mail_refused_at timestamptz(3),
				add column mail_refusal text,
				add column switched_off_mails text[] not null default '{}'`.execute(db);
	},
};
