import { inTransaction } from '@paddock/database';
import { emailAddress, instant, type Route } from '@paddock/service';
import { z } from 'zod';
import { accountTokenField, useAccountToken } from '../account-tokens/account-tokens.ts';
import { type AuthDeps, route } from '../deps.ts';
import { authError, errorsNamed } from '../errors.ts';
import { enqueueAccountMail, minuteKey } from '../mails/account-mail.ts';
import { revokeOutdated } from '../revocations/store.ts';
import { lockUser, verifyUser } from '../users/store.ts';
import { verificationMail } from './verification-mails.ts';

export const tokenBody = z.strictObject({ token: accountTokenField }).meta({
	id: 'AccountToken',
	description: 'The token of a link.',
	example: { token: 'o1Y3pXQp1cXo7mJwq0sG1rJm2y3cQb4yqGJm8n9sYtE' },
});

export const emailBody = z.strictObject({ email: emailAddress }).meta({
	id: 'AccountEmail',
	description: 'The address of an account.',
	example: { email: 'anna.huber@example.org' },
});

export const mailNotice = z.strictObject({ email: z.string().describe('The address in lower case.') }).meta({
	id: 'MailNotice',
	description: 'The address to which a mail is sent if it is that of an account.',
	example: { email: 'anna.huber@example.org' },
});

const verifiedSchema = z
	.strictObject({
		email: z.string().describe('The verified address.'),
		verifiedAt: instant.describe('When it was verified, in UTC.'),
	})
	.meta({
		id: 'VerifiedEmail',
		description: 'A verified address.',
		example: { email: 'anna.huber@example.org', verifiedAt: '2026-05-01T10:00:00.000Z' },
	});

const verify = route({
	method: 'post',
	path: '/auth/verify-email',
	operationId: 'verifyEmail',
	summary: 'Verify the address of an account with the token of the mail',
	description:
		'The token is for one use within 24 hours. The account then has its rights; a refresh gives a token with them.',
	access: 'public',
	writers: 'anyone',
	body: tokenBody,
	output: verifiedSchema,
	message: 'Verified',
	cacheControl: 'no-store',
	errors: errorsNamed('ACCOUNT_TOKEN_INVALID'),
	handler: async ({ body, log }, { db, now }) => {
		const user = await inTransaction(db, async (transaction) => {
			const { userId, data } = await useAccountToken(transaction, body.token, 'VERIFY_EMAIL', now());
			const before = await lockUser(transaction, userId);
			// The address has been changed since.
			if (data['email'] !== before.email || before.status === 'CLOSED')
				throw authError('ACCOUNT_TOKEN_INVALID');
			const after = await verifyUser(transaction, before, now());
			await revokeOutdated(transaction, { from: before, to: after }, now());
			return after;
		});
		log.info('an address was verified', { userId: user.id });
		return { email: user.email, verifiedAt: (user.emailVerifiedAt ?? now()).toISOString() };
	},
});

const resend = route({
	method: 'post',
	path: '/auth/resend-verification',
	operationId: 'resendVerification',
	summary: 'Send the link for the verification again',
	description: 'Responds the same for every address, at most one mail a minute is sent.',
	access: 'public',
	writers: 'anyone',
	body: emailBody,
	output: mailNotice,
	message: 'If the address waits for its verification, a mail is sent to it',
	cacheControl: 'no-store',
	handler: async ({ body }, { db, jobs, now }) => {
		await inTransaction(db, (transaction) =>
			enqueueAccountMail({ jobs, transaction }, verificationMail, body, minuteKey(body.email, now())),
		);
		return { email: body.email };
	},
});

export const verificationRoutes: readonly Route<AuthDeps>[] = [verify, resend];
