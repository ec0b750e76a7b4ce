import type { MailDeclaration } from '@paddock/mail';
import { type AccountMail, mailTo } from './account-mail.ts';
import {
	linkConfirmed,
	linkDeclined,
	newDevice,
	recoveryCodesRenewed,
	recoveryCodeUsed,
	rolesChanged,
	secondFactorAdded,
	secondFactorRemoved,
	secondFactorsReset,
} from './notice-texts.ts';
import { findAddressee } from './store.ts';

/** A mail that informs the owner of an account, whose data are known when it is enqueued. */
function noticeOf<Data extends object>(
	declaration: MailDeclaration<Data>,
): AccountMail<Data & { readonly userId: string }> {
	const { name, category, canBeSwitchedOff } = declaration;
	return {
		name,
		prepare: async ({ userId, ...data }, { db }) => {
			const user = await findAddressee(db, userId);
			if (user === undefined) return undefined;
			if (canBeSwitchedOff && user.switchedOffMails.includes(category)) return undefined;
			return mailTo(user, declaration, data as unknown as Data);
		},
	};
}

export const secondFactorAddedMail = noticeOf(secondFactorAdded);
export const secondFactorRemovedMail = noticeOf(secondFactorRemoved);
export const secondFactorsResetMail = noticeOf(secondFactorsReset);
export const recoveryCodeUsedMail = noticeOf(recoveryCodeUsed);
export const recoveryCodesRenewedMail = noticeOf(recoveryCodesRenewed);
export const newDeviceMail = noticeOf(newDevice);
export const rolesChangedMail = noticeOf(rolesChanged);
export const linkConfirmedMail = noticeOf(linkConfirmed);
export const linkDeclinedMail = noticeOf(linkDeclined);

export const notices: readonly AccountMail<never>[] = [
	secondFactorAddedMail,
	secondFactorRemovedMail,
	secondFactorsResetMail,
	recoveryCodeUsedMail,
	recoveryCodesRenewedMail,
	newDeviceMail,
	rolesChangedMail,
	linkConfirmedMail,
	linkDeclinedMail,
];
