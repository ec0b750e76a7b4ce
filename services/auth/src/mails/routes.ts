import { inTransaction } from '@paddock/database';
import { jobIdOf } from '@paddock/jobs';
import { mailReceipt, mailRequest, mailRequestsPath, mailsScope, withSubjects } from '@paddock/mail';
import type { Route } from '@paddock/service';
import { type AuthDeps, route } from '../deps.ts';
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
		const { id, recipients, exceptUserId, de, en, ...content } = body;
		const accounts = await inTransaction(db, async (transaction) => {
			const found = await accountsOf(transaction, recipients, now);
			const mailed = found.filter(({ userId }) => userId !== exceptUserId);
			const mails = mailed.map(({ userId, about }) => {
				const own = { ...content, de: withSubjects(de, about), en: withSubjects(en, about) };
				const jobId = jobIdOf(`${id} ${userId}`);
				return { id: jobId, data: { id: jobId, userId, content: own } };
			});
			await jobs.enqueueAll(transaction, mailQueue, mails);
			return mails;
		});
		return { accounts: accounts.length };
	},
});

export const mailRoutes: readonly Route<AuthDeps>[] = [sendMails];
