import { dayInVienna } from '@paddock/calendar';
import { issueAccountToken } from '../account-tokens/account-tokens.ts';
import { type AccountMail, mailTo, type PreparedMail } from '../mails/account-mail.ts';
import { findAddressee } from '../mails/store.ts';
import { erasureDone, erasureRequested, exportReady } from './privacy-texts.ts';
import { findRequest } from './store.ts';

interface ForRequest {
	readonly requestId: string;
}

export const exportReadyMail: AccountMail<ForRequest> = {
	name: exportReady.name,
	prepare: async ({ requestId }, { db, now }) => {
		const request = await findRequest(db, requestId);
		const user = request && (await findAddressee(db, request.userId));
		if (user === undefined || request?.expiresAt == null || request.expiresAt <= now()) return undefined;
		const purpose = 'EXPORT';
		const token = await issueAccountToken(db, { userId: user.id, purpose, data: { requestId } }, now());
		// In the fragment, which browsers send to no server.
		const path = `/app/privacy/export#${token}`;
		return mailTo(user, exportReady, { path, until: dayInVienna(request.expiresAt) });
	},
};

export const erasureRequestedMail: AccountMail<ForRequest> = {
	name: erasureRequested.name,
	prepare: async ({ requestId }, { db }) => {
		const request = await findRequest(db, requestId);
		const user = request && (await findAddressee(db, request.userId));
		if (user === undefined || request?.status !== 'REQUESTED') return undefined;
		return mailTo(user, erasureRequested, { day: dayInVienna(request.dueAt) });
	},
};

/** With the address, which the account no longer has when it is sent; the job is deleted with the queue's history. */
export type LastAddress = Pick<PreparedMail, 'to' | 'name' | 'language'>;

export const erasureDoneMail: AccountMail<LastAddress> = {
	name: erasureDone.name,
	prepare: async ({ to, name, language }) => ({
		to,
		name,
		language,
		userId: undefined,
		canBeSwitchedOff: false,
		content: erasureDone[language]({}),
	}),
};

export const privacyMails: readonly AccountMail<never>[] = [
	exportReadyMail,
	erasureRequestedMail,
	erasureDoneMail,
];
