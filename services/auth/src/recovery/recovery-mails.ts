import { issueAccountToken } from '../account-tokens/account-tokens.ts';
import { type AccountMail, mailTo } from '../mails/account-mail.ts';
import { invitation, passwordChanged, resetPassword } from '../mails/account-texts.ts';
import { findAddressee } from '../mails/store.ts';
import { findUserByEmail } from '../users/store.ts';

/** Whether an account has the address is looked up here, not in the request, whose time would tell it. */
export const passwordResetMail: AccountMail<{ readonly email: string }> = {
	name: 'password-reset',
	prepare: async ({ email }, { db, now }) => {
		const found = await findUserByEmail(db, email);
		if (found === undefined || found.user.status === 'CLOSED') return undefined;
		const { user } = found;
		const issued = { userId: user.id, purpose: 'RESET_PASSWORD', data: { email } } as const;
		const token = await issueAccountToken(db, issued, now());
		return mailTo(user, resetPassword, { path: `/app/reset-password#token=${token}` });
	},
};

/** To the owner of an account that an officer has created. */
export const invitationMail: AccountMail<{ readonly userId: string }> = {
	name: 'invitation',
	prepare: async ({ userId }, { db, now }) => {
		const user = await findAddressee(db, userId);
		if (user === undefined) return undefined;
		const issued = { userId, purpose: 'INVITATION', data: { email: user.email } } as const;
		const token = await issueAccountToken(db, issued, now());
		return mailTo(user, invitation, { path: `/app/reset-password#token=${token}` });
	},
};

export const passwordChangedMail: AccountMail<{ readonly userId: string }> = {
	name: 'password-changed',
	prepare: async ({ userId }, { db }) => {
		const user = await findAddressee(db, userId);
		return user && mailTo(user, passwordChanged, { path: '/app/forgot-password' });
	},
};
