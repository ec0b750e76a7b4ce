import { z } from 'zod';
import { mailContent } from './mail-content.ts';

/** UTF-16 units. */
export const mailAboutMax = 160;

/** What the mail is about for this recipient: a line of the part `subjects`. */
const about = z.string().min(1).max(mailAboutMax).optional();

const recipient = z.union([
	/** The accounts of the member and of the guardians. */
	z.strictObject({ memberId: z.uuid(), about }),
	z.strictObject({ userId: z.uuid(), about }),
	/** The accounts that manage the events of the club. */
	z.strictObject({ clubId: z.uuid() }),
]);

/** Such a request fits into the body that a service accepts. */
export const mailRecipientsMax = 300;

/** Path and scope of the route of auth that sends the mails of other contexts. */
export const mailRequestsPath = '/internal/mails';
export const mailsScope = 'mails:send';

/** A mail of another context for the accounts of members or clubs, or for accounts; auth knows their addresses and languages. */
export const mailRequest = z
	.strictObject({
		/** A second request with the same id sends nothing. */
		id: z.uuid(),
		name: z.string().min(1).max(100),
		category: z.string().min(1).max(50),
		canBeSwitchedOff: z.boolean(),
		/** An account gets one mail, with all that it is about. */
		recipients: z.array(recipient).min(1).max(mailRecipientsMax),
		/** The account that made the change, which needs no mail. */
		exceptUserId: z.uuid().optional(),
		de: mailContent,
		en: mailContent,
	})
	.meta({ id: 'MailRequest' });

export type MailRequest = z.output<typeof mailRequest>;
export type MailRecipient = z.output<typeof recipient>;

export const mailReceipt = z.strictObject({ accounts: z.int().min(0) }).meta({ id: 'MailReceipt' });
