import { randomUUID } from 'node:crypto';
import type { Queryable } from '@paddock/database';
import { defineQueue, type Enqueued, type JobHandler, type Jobs, on } from '@paddock/jobs';
import {
	type MailDeclaration,
	type MailRecipient,
	type MailRequest,
	mailReceipt,
	mailRequestsPath,
} from '@paddock/mail';
import type { Peer } from '@paddock/peers';

/** Mails that this context asks auth to send. */
const mailRequests = defineQueue<MailRequest>('mail-requests');

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

/**
 * Adds a mail in the transaction of its reason. It is rendered in both languages now, so that it shows the state of that
 * transaction.
 */
export async function requestMail<Schema, Data extends object>(
	{
		jobs,
		transaction,
	}: { readonly jobs: Pick<Jobs<Schema>, 'enqueue'>; readonly transaction: Queryable<Schema> },
	mail: MailDeclaration<Data>,
	{ data, recipients }: { readonly data: Data; readonly recipients: readonly MailRecipient[] },
	{ id = randomUUID(), ...options }: Enqueued = {},
): Promise<void> {
	if (recipients.length === 0) return;
	const { name, category, canBeSwitchedOff } = mail;
	const request = {
		id,
		name,
		category,
		canBeSwitchedOff,
		recipients: [...recipients],
		de: mail.de(data),
		en: mail.en(data),
	};
	await jobs.enqueue(transaction, mailRequests, request, { ...options, id });
}
