import { prepared } from '@paddock/database';
import type { MailRecipient } from '@paddock/mail';
import { sql } from 'kysely';
import type { AuthQueryable } from '../database-schema.ts';
import type { User } from '../users/store.ts';

interface MailedAccount {
	readonly userId: string;
	/** What the mail is about for this account. */
	readonly about: readonly string[];
}

/**
 * The accounts of these recipients that get mails at `now`, each once: for a member the own account and those of guardians,
 * for a club those that manage its events. Accounts whose address was never verified get none: it may be another person's.
 * `offset 0` and the test for a club: the server expects 100 recipients and would read all accounts for one.
 */
export async function accountsOf(
	db: AuthQueryable,
	recipients: readonly MailRecipient[],
	now: Date,
): Promise<readonly MailedAccount[]> {
	const { rows } = await sql<MailedAccount>`
		with wanted as (
			select * from jsonb_to_recordset(${JSON.stringify(recipients.map(numbered))}::jsonb)
				as wanted ("memberId" uuid, "userId" uuid, "clubId" text, about text, number integer)
		), found as (
			select users.id, about, number from wanted cross join lateral (
				select id from users where member_id = wanted."memberId" offset 0
			) as users
			union
			select user_id, about, number from wanted join member_links on member_links.member_id = wanted."memberId"
				where relationship = 'GUARDIAN' and member_links.status = 'CONFIRMED' and holds_until > ${now}
			union
			select "userId", about, number from wanted where "userId" is not null
			union
			select users.id, null, number from wanted join users on "clubId" is not null and
				roles && array['ORGANISER', 'CLUB_OFFICIAL'] and (
					('ORGANISER' = any (roles) and role_scopes -> 'ORGANISER' -> 'clubIds' ? "clubId")
					or ('CLUB_OFFICIAL' = any (roles) and role_scopes -> 'CLUB_OFFICIAL' -> 'clubIds' ? "clubId")
				)
		)
		select users.id as "userId",
			coalesce(array_agg(about order by number) filter (where about is not null), '{}') as about
		from found cross join lateral (
			select id from users where id = found.id and status <> 'CLOSED' and email_verified_at is not null offset 0
		) as users
		group by users.id
		order by users.id`.execute(db.withoutPlugins());
	return rows.map(({ userId, about }) => ({ userId, about: [...new Set(about)] }));
}

const numbered = (recipient: MailRecipient, number: number) => ({ ...recipient, number });

export type Addressee = Pick<User, 'id' | 'email' | 'firstName' | 'lastName' | 'locale'> & {
	readonly switchedOffMails: readonly string[];
};

export function findAddressee(db: AuthQueryable, userId: string): Promise<Addressee | undefined> {
	const user = db
		.selectFrom('users')
		.select(['id', 'email', 'firstName', 'lastName', 'locale', 'switchedOffMails'])
		.where('id', '=', userId)
		.where('status', '<>', 'CLOSED');
	return prepared(() => user.executeTakeFirst());
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

/**
 * Stores the bounce of the mail with these digits of its id (`digitsOf`) with the account of the address, once; a report that comes again
 * changes nothing. `unknown`: no open account has the address.
 */
export async function noteBounce(
	db: AuthQueryable,
	{ digits, email, reply }: { readonly digits: string; readonly email: string; readonly reply: string },
	at: Date,
): Promise<'stored' | 'repeated' | 'unknown'> {
	const ofAddress = await db
		.selectFrom('users')
		.select('id')
		.where('email', '=', email)
		.where('status', '<>', 'CLOSED')
		.executeTakeFirst();
	if (ofAddress === undefined) return 'unknown';
	const { numUpdatedRows } = await db
		.updateTable('users')
		.set({ mailRefusedAt: at, mailRefusal: reply, bouncedMessageId: digits })
		.where('id', '=', ofAddress.id)
		.where('email', '=', email)
		.where('bouncedMessageId', 'is distinct from', digits)
		.executeTakeFirstOrThrow();
	return numUpdatedRows === 0n ? 'repeated' : 'stored';
}

/**
 * Forgets an earlier refusal of this address of the account after a mail was accepted that was sent at `sentAt`; its bounce may already have come. An earlier
 * attempt at the same job has the same digits: its bounce is forgotten too, or that of this attempt would be a repeated one.
 */
export async function forgetRefusal(
	db: AuthQueryable,
	{
		userId,
		email,
		digits,
		sentAt,
	}: { readonly userId: string; readonly email: string; readonly digits: string; readonly sentAt: Date },
): Promise<void> {
	const update = db
		.updateTable('users')
		.set({
			mailRefusedAt: null,
			mailRefusal: null,
			bouncedMessageId: sql`nullif(bounced_message_id, ${digits})`,
		})
		.where('id', '=', userId)
		.where('email', '=', email)
		.where(({ eb, and, or }) =>
			or([
				eb('mailRefusedAt', '<=', sentAt),
				and([eb('mailRefusedAt', 'is', null), eb('bouncedMessageId', '=', digits)]),
			]),
		);
	await prepared(() => update.execute());
}
