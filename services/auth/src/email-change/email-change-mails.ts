import { languageOf } from '@paddock/mail';
import { fullName } from '@paddock/text';
import { issueAccountToken } from '../account-tokens/account-tokens.ts';
import { type AccountMail, mailTo } from '../mails/account-mail.ts';
import { alreadyRegistered, emailChanged, enterEmail, leaveEmail } from '../mails/account-texts.ts';
import { findAddressee } from '../mails/store.ts';
import { findUserByEmail } from '../users/store.ts';
import { findEmailChange } from './store.ts';

interface ChangeRequest {
	readonly userId: string;
	readonly changeId: string;
}

/** To the current address. */
export const leaveEmailMail: AccountMail<ChangeRequest> = {
	name: 'leave-email',
	prepare: async ({ userId, changeId }, { db, now }) => {
		const user = await findAddressee(db, userId);
		const change = await findEmailChange(db, userId);
		if (user === undefined || change?.id !== changeId) return undefined;
		const issued = { userId, purpose: 'LEAVE_EMAIL', data: { changeId } } as const;
		const token = await issueAccountToken(db, issued, now());
		return mailTo(user, leaveEmail, { path: `/app/change-email#token=${token}`, newEmail: change.newEmail });
	},
};

/** To the new address; if it is that of another account, its owner learns that it has one, and the caller nothing. */
export const enterEmailMail: AccountMail<ChangeRequest> = {
	name: 'enter-email',
	prepare: async ({ userId, changeId }, { db, now }) => {
		const user = await findAddressee(db, userId);
		const change = await findEmailChange(db, userId);
		if (user === undefined || change?.id !== changeId) return undefined;
		const owner = await findUserByEmail(db, change.newEmail);
		if (owner !== undefined && owner.user.emailVerifiedAt !== null)
			return mailTo(owner.user, alreadyRegistered, { path: '/app/forgot-password' });
		const issued = { userId, purpose: 'ENTER_EMAIL', data: { changeId } } as const;
		const token = await issueAccountToken(db, issued, now());
		const language = languageOf(user.locale);
		return {
			to: change.newEmail,
			name: fullName(user),
			language,
			// A refusal by this address says nothing about the account's own.
			userId: undefined,
			canBeSwitchedOff: false,
			content: enterEmail[language]({ path: `/app/change-email#token=${token}` }),
		};
	},
};

/** To the former address, after the change. */
export const emailChangedMail: AccountMail<{ readonly userId: string; readonly formerEmail: string }> = {
	name: 'email-changed',
	prepare: async ({ userId, formerEmail }, { db }) => {
		const user = await findAddressee(db, userId);
		if (user === undefined) return undefined;
		const mail = mailTo(user, emailChanged, { newEmail: user.email });
		return { ...mail, to: formerEmail, userId: undefined };
	},
};
