import type { MailRecipient } from '@paddock/mail';
import { sql } from 'kysely';
import type { AuthQueryable } from '../database-schema.ts';
import type { User } from '../users/store.ts';

/**
 * The accounts of these recipients that get mails at `now`, each once: for a member the own account and those of guardians.
 */
export async function accountsOf(
	db: AuthQueryable,
	recipients: readonly MailRecipient[],
	now: Date,
): Promise<readonly string[]> {
	const memberIds = recipients.flatMap((each) => ('memberId' in each ? [each.memberId] : []));
	const userIds = recipients.flatMap((each) => ('userId' in each ? [each.userId] : []));
	const rows = await db
		.selectFrom('users')
		.select('id')
		.where((where) =>
			where.or([
				where('memberId', 'in', [...memberIds, null]),
				where('id', 'in', [...userIds, null]),
				sql<boolean>`id in (
					select user_id from member_links
					where member_id = any(${memberIds}::uuid[]) and relationship = 'GUARDIAN'
						and status = 'CONFIRMED' and holds_until > ${now}
				)`,
			]),
		)
		.where('status', '<>', 'CLOSED')
		.orderBy('id')
		.execute();
	return rows.map(({ id }) => id);
}

export type Addressee = Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'locale'> & {
	readonly switchedOffMails: readonly string[];
};

export function findAddressee(db: AuthQueryable, userId: string): Promise<Addressee | undefined> {
	return db
		.selectFrom('users')
		.select(['id', 'email', 'firstName', 'lastName', 'locale', 'switchedOffMails'])
		.where('id', '=', userId)
		.where('status', '<>', 'CLOSED')
		.executeTakeFirst();
}

/** Stores that a server refused a mail to this address of the account. */
export async function noteRefusal(
	db: AuthQueryable,
	{ userId, email, reply }: { readonly userId: string; readonly email: string; readonly reply: string },
	at: Date,
): Promise<void> {
	await db
		.updateTable('users')
		.set({ mailRefusedAt: at, mailRefusal: reply })
		.where('id', '=', userId)
		.where('email', '=', email)
		.execute();
}

/** Forgets an earlier refusal after a mail was accepted. */
export async function forgetRefusal(db: AuthQueryable, userId: string): Promise<void> {
	await db
		.updateTable('users')
		.set({ mailRefusedAt: null, mailRefusal: null })
		.where('id', '=', userId)
		.where('mailRefusedAt', 'is not', null)
		.execute();
}
