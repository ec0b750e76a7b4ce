import type { Queryable } from '@paddock/database';
import type { MailRequest } from '@paddock/mail';
import { sql } from 'kysely';

/**
 * The mails that a context has asked auth to send, sent or not, in that order; those of one transaction by their names. It
 * gives all the same time, and several of one name have no order: they are compared as a set.
 */
export async function requestedMails<Schema>(db: Queryable<Schema>): Promise<readonly MailRequest[]> {
	const { rows } = await sql<{ data: MailRequest }>`
		select data from jobs.job where name = 'mail-requests' order by created_on, data->>'name'`.execute(
		db.withoutPlugins(),
	);
	return rows.map(({ data }) => data);
}
