import type { Queryable } from '@paddock/database';
import type { MailRequest } from '@paddock/mail';
import { sql } from 'kysely';

/** The mails that a context has asked auth to send, sent or not, in that order. */
export async function requestedMails<Schema>(db: Queryable<Schema>): Promise<readonly MailRequest[]> {
	const { rows } = await sql<{ data: MailRequest }>`
		select data from jobs.job where name = 'mail-requests' order by created_on, id`.execute(
		db.withoutPlugins(),
	);
	return rows.map(({ data }) => data);
}
