import { randomUUID } from 'node:crypto';
import type { Queryable } from '@paddock/database';
import { defineQueue, type JobHandler, type Jobs, jobIdOf, on } from '@paddock/jobs';
import {
	fittedContent,
	type MailDeclaration,
	type MailRecipient,
	type MailRequest,
	mailAboutMax,
	mailReceipt,
	mailRecipientsMax,
	mailRequestsPath,
	shortened,
} from '@paddock/mail';
import type { Peer } from '@paddock/peers';

/** Mails that this context asks auth to send; idle workers query the database. Auth accepts each once, so a batch can be repeated. */
const mailRequests = defineQueue<MailRequest>('mail-requests', { atOnce: 1, batch: 5 });

/** Hands each mail to auth, which knows the addresses. */
export function mailSender(auth: Pick<Peer, 'require'>): JobHandler {
	return on(mailRequests, async (request, { signal }) => {
		await auth.require({
			path: mailRequestsPath,
			body: request,
			schema: mailReceipt,
			credentials: 'service',
			context: { requestId: request.id, signal },
		});
	});
}

/** Where mails are requested: in the transaction of their reason. */
export interface MailsIn<Schema> {
	readonly jobs: Pick<Jobs<Schema>, 'enqueueAll'>;
	readonly transaction: Queryable<Schema>;
}

interface Addressed<Data> {
	readonly data: Data;
	/** Any number; those that follow each other are in one request, where an account gets one mail. */
	readonly recipients: readonly MailRecipient[];
	/** The account that made the change, which needs no mail. */
	readonly exceptUserId?: string | undefined;
	/** Of several mails with this name and key only the first is sent, for as long as finished jobs are stored. */
	readonly key?: string | undefined;
}

/** Adds a mail in the transaction of its reason, rendered in both languages from the state of that transaction. */
export async function requestMail<Schema, Data extends object>(
	{ jobs, transaction }: MailsIn<Schema>,
	mail: MailDeclaration<Data>,
	{ data, recipients, exceptUserId, key }: Addressed<Data>,
): Promise<void> {
	if (recipients.length === 0) return;
	const { name, category, canBeSwitchedOff } = mail;
	const content = {
		name,
		category,
		canBeSwitchedOff,
		de: fittedContent(mail.de(data)),
		en: fittedContent(mail.en(data)),
	};
	const requests = [];
	for (let from = 0; from < recipients.length; from += mailRecipientsMax) {
		const id = key === undefined ? randomUUID() : jobIdOf(`${name} ${key} ${from}`);
		const batch = recipients.slice(from, from + mailRecipientsMax).map(fittedRecipient);
		const except = exceptUserId === undefined ? {} : { exceptUserId };
		requests.push({ id, data: { id, ...content, recipients: batch, ...except } });
	}
	await jobs.enqueueAll(transaction, mailRequests, requests);
}

function fittedRecipient(recipient: MailRecipient): MailRecipient {
	return 'about' in recipient && recipient.about !== undefined
		? { ...recipient, about: shortened(recipient.about, mailAboutMax) }
		: recipient;
}
