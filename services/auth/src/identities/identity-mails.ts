import { issueAccountToken } from '../account-tokens/account-tokens.ts';
import { type AccountMail, mailTo } from '../mails/account-mail.ts';
import { identityLinked, linkIdentity } from '../mails/security-texts.ts';
import { findAddressee } from '../mails/store.ts';
import type { LinkedIdentity } from './store.ts';

interface LinkRequest extends LinkedIdentity {
	readonly userId: string;
	/** Digest of the secret of the browser in which the sign-in began, base64url: only there the link is accepted. */
	readonly browser: string;
}

/** Confirms, at the address of an account, that an identity is its owner's. */
export const linkIdentityMail: AccountMail<LinkRequest> = {
	name: 'link-identity',
	prepare: async ({ userId, ...data }, { db, now }) => {
		const user = await findAddressee(db, userId);
		if (user === undefined) return undefined;
		const issued = { userId, purpose: 'LINK_IDENTITY', data: { ...data, account: user.email } } as const;
		const token = await issueAccountToken(db, issued, now());
		return mailTo(user, linkIdentity, { path: `/app/link-identity#token=${token}`, issuer: data.issuer });
	},
};

export const identityLinkedMail: AccountMail<{ readonly userId: string; readonly issuer: string }> = {
	name: 'identity-linked',
	prepare: async ({ userId, issuer }, { db }) => {
		const user = await findAddressee(db, userId);
		return user && mailTo(user, identityLinked, { path: '/app/forgot-password', issuer });
	},
};
