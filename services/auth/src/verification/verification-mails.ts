import { issueAccountToken } from '../account-tokens/account-tokens.ts';
import { isInvited } from '../account-tokens/store.ts';
import { type AccountMail, mailTo, type PrepareDeps, type PreparedMail } from '../mails/account-mail.ts';
import { alreadyRegistered, verifyEmail } from '../mails/account-texts.ts';
import { invitationMail } from '../recovery/recovery-mails.ts';
import { findUserByEmail, type User } from '../users/store.ts';

/** The mail after a registration, of which the response says nothing: a link, or that there is an account already. */
export const registrationMail: AccountMail<{ readonly email: string; readonly registered: boolean }> = {
	name: 'registration',
	prepare: async ({ email, registered }, deps) => {
		const found = await findUserByEmail(deps.db, email);
		if (found === undefined || found.user.status === 'CLOSED') return undefined;
		const { user } = found;
		if (user.emailVerifiedAt === null) return withToken(user, deps);
		return registered ? undefined : mailTo(user, alreadyRegistered, { path: '/app/forgot-password' });
	},
};

/** Another link for an account that is not verified. */
export const verificationMail: AccountMail<{ readonly email: string }> = {
	name: 'verification',
	prepare: async ({ email }, deps) => {
		const found = await findUserByEmail(deps.db, email);
		if (found === undefined || found.user.status === 'CLOSED') return undefined;
		return found.user.emailVerifiedAt === null ? withToken(found.user, deps) : undefined;
	},
};

async function withToken(user: User, deps: PrepareDeps): Promise<PreparedMail | undefined> {
	const { db, now } = deps;
	// Its password is random: the link must let the owner set one.
	if (await isInvited(db, user.id, now())) return invitationMail.prepare({ userId: user.id }, deps);
	const issued = { userId: user.id, purpose: 'VERIFY_EMAIL', data: { email: user.email } } as const;
	const token = await issueAccountToken(db, issued, now());
	return mailTo(user, verifyEmail, { path: `/app/verify#token=${token}` });
}
