import { prepared } from '@paddock/database';
import { jobIdOf } from '@paddock/jobs';
import { mailReceipt, mailRequest, mailRequestsPath, mailsScope, withSubjects } from '@paddock/mail';
import type { Route } from '@paddock/service';
import { z } from 'zod';
import { type AuthDeps, route } from '../deps.ts';
import { errorsNamed } from '../errors.ts';
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
		const found = await prepared(() => accountsOf(db, recipients, now));
		const mails = found
			.filter(({ userId }) => userId !== exceptUserId)
			.map(({ userId, about }) => {
				const own = { ...content, de: withSubjects(de, about), en: withSubjects(en, about) };
				const jobId = jobIdOf(`${id} ${userId}`);
				return { id: jobId, data: { id: jobId, userId, content: own } };
			});
		// One statement: all of them or none. A repeated request adds those that are not stored yet.
		await prepared(() => jobs.enqueueAll(db, mailQueue, mails));
		return { accounts: mails.length };
	},
});

const amount = z.int().min(0).optional();

/** Recipients of the mail by what the report changed. */
const mailReportReceipt = z
	.strictObject({
		stored: amount.describe('Failures that are now stored with an account.'),
		repeated: amount.describe('Failures that an earlier delivery of this report has stored.'),
		unknown: amount.describe(
			'Failures of mails that this system has not sent to that address, or without an account.',
		),
		temporary: amount.describe('Delays, and failures with a status 4.x.x.'),
		delivered: amount,
	})
	.meta({ id: 'MailReportReceipt' });

const receiveReport = route({
	method: 'post',
	path: '/internal/mail-reports',
	operationId: 'receiveMailReport',
	writers: 'anyone',
	summary: 'A report of a mail server on a mail that it could not deliver',
	description:
		'A delivery status notification (RFC 3464) as mailed to MAIL_BOUNCES_TO. The proof is MAIL_REPORTS_SECRET as bearer token.',
	access: 'public',
	headers: { Authorization: '`Bearer` with MAIL_REPORTS_SECRET.' },
	body: z.string(),
	textBody: { type: 'message/rfc822', bytesMax: 262_144 },
	output: mailReportReceipt,
	message: 'Report received',
	cacheControl: 'no-store',
	errors: errorsNamed(
		'MAIL_REPORTS_NOT_CONFIGURED',
		'UNAUTHENTICATED',
		'INVALID_TOKEN',
		'MAIL_REPORT_INVALID',
	),
	admit: ({ authorization }, { mailReports }) => mailReports.admit(authorization),
	handler: ({ body, now, log }, { mailReports }) => mailReports.receive(body, { now, log }),
});

export const mailRoutes: readonly Route<AuthDeps>[] = [sendMails, receiveReport];
