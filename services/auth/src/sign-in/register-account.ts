import { randomBytes } from 'node:crypto';
import { inTransaction } from '@paddock/database';
import { sql } from 'kysely';
import { deleteAccountTokens } from '../account-tokens/store.ts';
import type { AuthQueryable, UserRow } from '../database-schema.ts';
import type { AuthDeps } from '../deps.ts';
import { deleteDevicesOf } from '../devices/store.ts';
import { deleteEmailChange } from '../email-change/store.ts';
import { enqueueAccountMail, minuteKey } from '../mails/account-mail.ts';
import { revokeSessions } from '../revocations/store.ts';
import { endSessionsOf } from '../sessions/store.ts';
import { canRegister, registerUser, type User } from '../users/store.ts';
import { registrationMail } from '../verification/verification-mails.ts';

type Registration = Readonly<
	Pick<UserRow, 'email' | 'passwordHash' | 'firstName' | 'lastName' | 'phoneNumber' | 'locale'>
>;

/**
 * Creates the account and its mail. If the address has an account, only the mail, of an invited one the invitation: the same
 * statements in all cases, so that neither response nor time tells (OWASP ASVS 5 §6.3.8). Undefined in that case.
 */
export function registerAccount(
	{ db, jobs, now, emailVerification }: Pick<AuthDeps, 'db' | 'jobs' | 'now' | 'emailVerification'>,
	registration: Registration,
): Promise<User | undefined> {
	return inTransaction(db, async (transaction) => {
		const at = now();
		const { email } = registration;
		const emailVerifiedAt = emailVerification ? null : at;
		const rights = { roles: ['MEMBER'], roleScopes: {}, isDemo: false } as const;
		const account = { ...registration, ...rights, emailVerifiedAt };
		const isFree = await canRegister(transaction, email, at);
		await sql`savepoint registration`.execute(transaction);
		// A known address costs an account too, which is rolled back.
		const made = await registerUser(
			transaction,
			isFree ? account : { ...account, email: unusedAddress(email) },
			at,
		);
		const ended = made === undefined ? [] : await forgetReplaced(transaction, made.id, at);
		if (isFree) await sql`release savepoint registration`.execute(transaction);
		else await sql`rollback to savepoint registration`.execute(transaction);
		const user = isFree ? made : undefined;
		// A registration that replaces one has a new link, as the earlier ones are void.
		const key = `${minuteKey(email, at)} ${user?.version ?? 'known'}`;
		await enqueueAccountMail(
			{ jobs, transaction },
			registrationMail,
			{ email, registered: user !== undefined },
			key,
		);
		await revokeSessions(transaction, ended, at);
		return user;
	});
}

/**
 * Ends and deletes what gives the former registrant of the address access to the account.
 * @returns the ended sessions, to be revoked at the end of the transaction
 */
export async function forgetReplaced(
	transaction: AuthQueryable,
	userId: string,
	at: Date,
): Promise<readonly string[]> {
	const ended = await endSessionsOf(transaction, userId, at);
	await deleteDevicesOf(transaction, userId);
	await deleteEmailChange(transaction, userId);
	await deleteAccountTokens(transaction, userId);
	return ended;
}

/** Of the same length, and no address of an account, as it has no @. */
function unusedAddress(email: string): string {
	return randomBytes(email.length).toString('hex').slice(0, email.length);
}
