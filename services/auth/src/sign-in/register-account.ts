import { inTransaction } from '@paddock/database';
import { deleteAccountTokens } from '../account-tokens/store.ts';
import type { UserRow } from '../database-schema.ts';
import type { AuthDeps } from '../deps.ts';
import { enqueueAccountMail, minuteKey } from '../mails/account-mail.ts';
import { revokeSessions } from '../revocations/store.ts';
import { endSessionsOf } from '../sessions/store.ts';
import { registerUser, type User } from '../users/store.ts';
import { registrationMail } from '../verification/verification-mails.ts';

type Registration = Readonly<
	Pick<UserRow, 'email' | 'passwordHash' | 'firstName' | 'lastName' | 'phoneNumber' | 'locale'>
>;

/**
 * Creates the account and its mail. If the address has an account, only the mail, of an invited one the invitation: the same
 * work in all cases, so that neither response nor time tells (OWASP ASVS 5 §6.3.8). Undefined in that case.
 */
export function registerAccount(
	{ db, jobs, now, emailVerification }: Pick<AuthDeps, 'db' | 'jobs' | 'now' | 'emailVerification'>,
	registration: Registration,
): Promise<User | undefined> {
	return inTransaction(db, async (transaction) => {
		const at = now();
		const emailVerifiedAt = emailVerification ? null : at;
		const rights = { roles: ['MEMBER'], roleScopes: {}, isDemo: false } as const;
		const user = await registerUser(transaction, { ...registration, ...rights, emailVerifiedAt }, at);
		const { email } = registration;
		// A registration that replaces one has a new link, as the earlier ones are void.
		const key = `${minuteKey(email, at)} ${user?.version ?? 'known'}`;
		await enqueueAccountMail(
			{ jobs, transaction },
			registrationMail,
			{ email, registered: user !== undefined },
			key,
		);
		if (user !== undefined && user.version > 1) {
			await deleteAccountTokens(transaction, user.id);
			await revokeSessions(transaction, await endSessionsOf(transaction, user.id, at), at);
		}
		return user;
	});
}
