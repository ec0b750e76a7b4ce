import { inTransaction } from '@paddock/database';
import { mailReceipt, mailRequest, mailRequestsPath, mailsScope } from '@paddock/mail';
import type { Route } from '@paddock/service';
import { type AuthDeps, route } from '../deps.ts';
import { uuidOf } from './account-mail.ts';
import { mailQueue } from './mail-queue.ts';
import { accountsOf } from './store.ts';

const sendMails = route({
	method: 'post',
	path: mailRequestsPath,
	operationId: 'sendMails',
	writers: 'services',
	summary: 'Send a mail of another context to the accounts of members',
	description:
		'Once per id and account; the languages and wishes of the accounts are applied when it is sent.',
	access: { scope: mailsScope },
	body: mailRequest,
	output: mailReceipt,
	message: 'Mails accepted',
	cacheControl: 'no-store',
	handler: async ({ body, now }, { db, jobs }) => {
		const { id, recipients, ...content } = body;
		const accounts = await inTransaction(db, async (transaction) => {
			const found = await accountsOf(transaction, recipients, now);
			for (const userId of found) {
				const jobId = uuidOf(`${id} ${userId}`);
				await jobs.enqueue(transaction, mailQueue, { id: jobId, userId, content }, { id: jobId });
			}
			return found;
		});
		return { accounts: accounts.length };
	},
});

export const mailRoutes: readonly Route<AuthDeps>[] = [sendMails];
