import { z } from 'zod';
import { mailContent } from './mail-content.ts';

const recipient = z.union([z.strictObject({ memberId: z.uuid() }), z.strictObject({ userId: z.uuid() })]);

/** Path and scope of the route of auth that sends the mails of other contexts. */
export const mailRequestsPath = '/internal/mails';
export const mailsScope = 'mails:send';

/** A mail of another context for the accounts of members, or for accounts; auth knows their addresses and languages. */
export const mailRequest = z
	.strictObject({
		/** A second request with the same id sends nothing. */
		id: z.uuid(),
		name: z.string().min(1).max(100),
		category: z.string().min(1).max(50),
		canBeSwitchedOff: z.boolean(),
		recipients: z.array(recipient).min(1).max(200),
		de: mailContent,
		en: mailContent,
	})
	.meta({ id: 'MailRequest' });

export type MailRequest = z.output<typeof mailRequest>;
export type MailRecipient = z.output<typeof recipient>;

export const mailReceipt = z.strictObject({ accounts: z.int().min(0) }).meta({ id: 'MailReceipt' });
