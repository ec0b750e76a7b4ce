import { type AccountMail, mailTo } from '../mails/account-mail.ts';
import { sessionStolen } from '../mails/account-texts.ts';
import { findAddressee } from '../mails/store.ts';

/** After a refresh token was used twice. */
export const sessionEndedMail: AccountMail<{ readonly userId: string }> = {
	name: 'session-ended',
	prepare: async ({ userId }, { db }) => {
		const user = await findAddressee(db, userId);
		return user && mailTo(user, sessionStolen, { path: '/app/forgot-password' });
	},
};
