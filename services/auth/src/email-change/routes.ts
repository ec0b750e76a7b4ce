import { ApiError, apiError } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { emailAddress, type Route } from '@paddock/service';
import { z } from 'zod';
import { accountTokenField, useAccountToken } from '../account-tokens/account-tokens.ts';
import { deleteAccountTokens } from '../account-tokens/store.ts';
import type { AuthQueryable } from '../database-schema.ts';
import { type AuthDeps, route } from '../deps.ts';
import { authError, errorsNamed } from '../errors.ts';
import { enqueueAccountMail } from '../mails/account-mail.ts';
import { givenPassword } from '../passwords/password-rules.ts';
import { revokeOutdated, revokeSessions } from '../revocations/store.ts';
import { requireSession } from '../sessions/require-session.ts';
import { endSessionsOf } from '../sessions/store.ts';
import { provePassword } from '../sign-in/prove-password.ts';
import { changeEmail, deleteUser, lockUnproven, lockUser } from '../users/store.ts';
import { mailNotice } from '../verification/routes.ts';
import { emailChangedMail, enterEmailMail, leaveEmailMail } from './email-change-mails.ts';
import {
	confirmEmailChange,
	deleteEmailChange,
	type EmailChange,
	findEmailChange,
	startEmailChange,
} from './store.ts';

/** Each request sends mails, one of them to an address that the caller chooses. */
const pauseMs = 60_000;

const changeBody = z.strictObject({ newEmail: emailAddress, currentPassword: givenPassword }).meta({
	id: 'EmailChange',
	description: 'The new address, and the password as a proof.',
	example: { newEmail: 'anna.gruber@example.org', currentPassword: 'canter over the hedge' },
});

const request = route({
	method: 'post',
	path: '/auth/change-email',
	operationId: 'changeEmail',
	summary: 'Change the address of the caller’s account',
	description:
		'It changes when the links in two mails have been used within 24 hours: one at the current address, one at the new address. Responds the same whether another account has the new address. A further request replaces this one, after a minute at the earliest.',
	access: 'signedIn',
	writers: 'account',
	unverifiedToo: true,
	body: changeBody,
	output: mailNotice,
	message: 'Confirm the change at both addresses',
	cacheControl: 'no-store',
	errors: errorsNamed('CURRENT_PASSWORD_WRONG', 'ACCOUNT_LOCKED', 'RATE_LIMITED'),
	handler: async ({ principal, body, address, signal, log }, deps) => {
		const { email } = await requireSession(deps, principal);
		const source = { kind: 'session', sessionId: principal.sessionId, address } as const;
		const claim = { email, password: body.currentPassword, source, address, signal, log };
		const proven = await provePassword(deps, claim);
		if (proven === undefined) throw authError('CURRENT_PASSWORD_WRONG');
		const { db, jobs, now } = deps;
		await inTransaction(db, async (transaction) => {
			const user = await lockUser(transaction, proven.id);
			await requireSession({ db: transaction, now }, principal);
			await requirePause(transaction, user.id, now());
			await deleteAccountTokens(transaction, user.id, ['LEAVE_EMAIL', 'ENTER_EMAIL']);
			const change = { userId: user.id, newEmail: body.newEmail, createdAt: now() };
			const named = { userId: user.id, changeId: await startEmailChange(transaction, change) };
			// An address that was never proven can't confirm.
			if (user.emailVerifiedAt === null)
				await confirmEmailChange(transaction, named.changeId, 'leftAt', now());
			else await enqueueAccountMail({ jobs, transaction }, leaveEmailMail, named);
			await enqueueAccountMail({ jobs, transaction }, enterEmailMail, named);
		});
		log.info('a change of an address was requested', { userId: proven.id });
		return { email: body.newEmail };
	},
});

/** @throws ApiError RATE_LIMITED within a minute after an earlier request of the account */
async function requirePause(transaction: AuthQueryable, userId: string, at: Date): Promise<void> {
	const earlier = await findEmailChange(transaction, userId);
	if (earlier === undefined) return;
	const retryAfterMs = earlier.createdAt.getTime() + pauseMs - at.getTime();
	if (retryAfterMs > 0) throw apiError('RATE_LIMITED', { retryAfterMs });
}

const confirmed = z
	.strictObject({
		changed: z.boolean().describe('False while the confirmation at the other address is missing.'),
	})
	.meta({
		id: 'EmailChangeState',
		description: 'Whether the address of the account has changed.',
		example: { changed: true },
	});

const confirm = route({
	method: 'post',
	path: '/auth/confirm-email-change',
	operationId: 'confirmEmailChange',
	summary: 'Confirm a change of address with the token of one of the two mails',
	description:
		'The second confirmation changes the address; a mail informs the former address. An account with the new address that was never verified is deleted.',
	access: 'public',
	writers: 'anyone',
	body: z.strictObject({ token: accountTokenField }).meta({
		id: 'EmailChangeToken',
		description: 'The token of a link.',
		example: { token: 'o1Y3pXQp1cXo7mJwq0sG1rJm2y3cQb4yqGJm8n9sYtE' },
	}),
	output: confirmed,
	message: ({ changed }) => (changed ? 'Address changed' : 'Confirm at the other address too'),
	cacheControl: 'no-store',
	errors: errorsNamed('ACCOUNT_TOKEN_INVALID', 'EMAIL_ALREADY_REGISTERED'),
	handler: async ({ body, log }, deps) =>
		inTransaction(deps.db, async (transaction) => {
			const { userId, change } = await useToken(transaction, body.token, deps.now());
			const isComplete = change.leftAt !== null && change.enteredAt !== null;
			if (!isComplete) return { changed: false };
			await complete({ ...deps, db: transaction }, userId, change);
			log.info('an address was changed', { userId });
			return { changed: true };
		}),
});

/** @throws ApiError ACCOUNT_TOKEN_INVALID */
async function useToken(
	transaction: AuthQueryable,
	token: string,
	at: Date,
): Promise<{ readonly userId: string; readonly change: EmailChange }> {
	const confirmation = async (purpose: 'LEAVE_EMAIL' | 'ENTER_EMAIL') => {
		const { userId, data } = await useAccountToken(transaction, token, purpose, at);
		const side = purpose === 'LEAVE_EMAIL' ? 'leftAt' : 'enteredAt';
		const change = await confirmEmailChange(transaction, String(data['changeId']), side, at);
		if (change === undefined) throw authError('ACCOUNT_TOKEN_INVALID');
		return { userId, change };
	};
	try {
		return await confirmation('LEAVE_EMAIL');
	} catch (error) {
		if (error instanceof ApiError && error.code === 'ACCOUNT_TOKEN_INVALID')
			return confirmation('ENTER_EMAIL');
		throw error;
	}
}

/** @throws ApiError EMAIL_ALREADY_REGISTERED if another account has proven the address in the meantime, or was invited */
async function complete(
	{ db, jobs, now }: Pick<AuthDeps, 'jobs' | 'now'> & { readonly db: AuthQueryable },
	userId: string,
	{ newEmail }: EmailChange,
): Promise<void> {
	const before = await lockUser(db, userId);
	if (before.status === 'CLOSED') throw authError('ACCOUNT_TOKEN_INVALID');
	const ended = await deleteUnproven(db, { email: newEmail, except: userId }, now());
	const after = await changeEmail(db, before, newEmail, now());
	await deleteEmailChange(db, userId);
	await deleteAccountTokens(db, userId);
	const former = { userId, formerEmail: before.email };
	if (before.emailVerifiedAt !== null)
		await enqueueAccountMail({ jobs, transaction: db }, emailChangedMail, former);
	await revokeSessions(db, ended, now());
	await revokeOutdated(db, { from: before, to: after }, now());
}

/** Deletes an account whose registrant has not proven this address. @returns its sessions, to be revoked */
async function deleteUnproven(
	transaction: AuthQueryable,
	address: Parameters<typeof lockUnproven>[1],
	at: Date,
): Promise<readonly string[]> {
	const unproven = await lockUnproven(transaction, address, at);
	if (unproven === undefined) return [];
	const ended = await endSessionsOf(transaction, unproven.id, at);
	await deleteUser(transaction, unproven.id);
	return ended;
}

export const emailChangeRoutes: readonly Route<AuthDeps>[] = [request, confirm];
