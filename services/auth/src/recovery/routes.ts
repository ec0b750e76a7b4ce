import { ApiError, refuseInvalid } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import type { Route } from '@paddock/service';
import { z } from 'zod';
import {
	type AccountToken,
	type AccountTokenPurpose,
	accountTokenField,
	readAccountToken,
	useAccountToken,
} from '../account-tokens/account-tokens.ts';
import { deleteAccountTokens } from '../account-tokens/store.ts';
import type { AuthQueryable } from '../database-schema.ts';
import { type AuthDeps, route } from '../deps.ts';
import { deleteDevicesOf } from '../devices/store.ts';
import { deleteEmailChange } from '../email-change/store.ts';
import { authError, errorsNamed } from '../errors.ts';
import { deleteIdentitiesOf } from '../identities/store.ts';
import { enqueueAccountMail, minuteKey } from '../mails/account-mail.ts';
import { holdsOwnName, newPassword } from '../passwords/password-rules.ts';
import { revokeOutdated, revokeSessions } from '../revocations/store.ts';
import { endSessionsOf } from '../sessions/store.ts';
import { ownNameMessage } from '../sign-in/schemas.ts';
import { addressSeries } from '../sign-in/sign-in-subject.ts';
import { releaseAccount } from '../sign-in/sign-in-throttle.ts';
import { getUser, lockUser, updateUser } from '../users/store.ts';
import { emailBody, mailNotice } from '../verification/routes.ts';
import { passwordChangedMail, passwordResetMail } from './recovery-mails.ts';

/** @param passwordLengthMin code points */
export function recoveryRoutes(passwordLengthMin: number): readonly Route<AuthDeps>[] {
	return [forgotPassword, resetPassword(passwordLengthMin)];
}

const forgotPassword = route({
	method: 'post',
	path: '/auth/forgot-password',
	operationId: 'forgotPassword',
	summary: 'Send a link for a new password',
	description: 'Responds the same, in the same time, for every address; at most one mail a minute is sent.',
	access: 'public',
	writers: 'anyone',
	body: emailBody,
	output: mailNotice,
	message: 'If an account has this address, a mail is sent to it',
	cacheControl: 'no-store',
	handler: async ({ body }, { db, jobs, now }) => {
		await inTransaction(db, (transaction) =>
			enqueueAccountMail({ jobs, transaction }, passwordResetMail, body, minuteKey(body.email, now())),
		);
		return { email: body.email };
	},
});

/** @param passwordLengthMin code points */
function resetBody(passwordLengthMin: number) {
	return z.strictObject({ token: accountTokenField, newPassword: newPassword(passwordLengthMin) }).meta({
		id: 'PasswordReset',
		description: 'The token of the link, and the new password.',
		example: {
			token: 'o1Y3pXQp1cXo7mJwq0sG1rJm2y3cQb4yqGJm8n9sYtE',
			newPassword: 'three bales and a bucket',
		},
	});
}

const resetSchema = z
	.strictObject({ sessionsEnded: z.int().min(0).describe('Number of sessions that were ended.') })
	.meta({
		id: 'PasswordResetResult',
		description: 'Result of a new password.',
		example: { sessionsEnded: 2 },
	});

function resetPassword(passwordLengthMin: number): Route<AuthDeps> {
	return route({
		method: 'post',
		path: '/auth/reset-password',
		operationId: 'resetPassword',
		summary: 'Set a new password with the token of a mail',
		description:
			'Of a forgotten password, within 30 minutes, or of an invitation, within seven days; each token is for one use. Ends all sessions, forgets all known devices, removes all external identities and ends the locks of failed sign-ins; a mail informs the owner. The address then counts as verified.',
		access: 'public',
		writers: 'anyone',
		body: resetBody(passwordLengthMin),
		output: resetSchema,
		message: 'Password set',
		cacheControl: 'no-store',
		errors: errorsNamed('ACCOUNT_TOKEN_INVALID'),
		handler: async ({ body, address, signal, log }, deps) => {
			const { db, passwordQueue, passwordHash, now, jobs } = deps;
			const { userId } = await either(purposes, (purpose) =>
				readAccountToken(db, body.token, purpose, now()),
			);
			if (holdsOwnName(body.newPassword, await getUser(db, userId)))
				refuseInvalid([{ field: 'newPassword', code: 'INVALID_FORMAT', message: ownNameMessage }]);
			const turn = { key: addressSeries(address), signal };
			const hash = await passwordQueue.run(turn, () => passwordHash.hash(body.newPassword));
			const ended = await inTransaction(db, async (transaction) => {
				const at = now();
				const { data } = await either(purposes, (purpose) =>
					useAccountToken(transaction, body.token, purpose, at),
				);
				const user = await lockUser(transaction, userId);
				if (data['email'] !== user.email || user.status === 'CLOSED')
					throw authError('ACCOUNT_TOKEN_INVALID');
				const proven = { passwordHash: hash, emailVerifiedAt: user.emailVerifiedAt ?? at };
				const changed = await updateUser(transaction, user, proven, at);
				await forgetFormer(transaction, userId);
				await releaseAccount(transaction, user, at);
				const sessions = await endSessionsOf(transaction, userId, at);
				await enqueueAccountMail({ jobs, transaction }, passwordChangedMail, { userId });
				await revokeSessions(transaction, sessions, at);
				await revokeOutdated(transaction, { from: user, to: changed }, at);
				return sessions.length;
			});
			log.info('a password was reset', { userId });
			return { sessionsEnded: ended };
		},
	});
}

/** Each of these would let a person who had access to the account keep it. */
async function forgetFormer(transaction: AuthQueryable, userId: string): Promise<void> {
	await deleteDevicesOf(transaction, userId);
	await deleteIdentitiesOf(transaction, userId);
	await deleteEmailChange(transaction, userId);
	await deleteAccountTokens(transaction, userId, [
		...purposes,
		'VERIFY_EMAIL',
		'LINK_IDENTITY',
		'LEAVE_EMAIL',
		'ENTER_EMAIL',
	]);
}

const purposes = ['RESET_PASSWORD', 'INVITATION'] as const satisfies readonly AccountTokenPurpose[];

/** The result for the purpose that the token has. @throws ApiError ACCOUNT_TOKEN_INVALID if it has none of them */
async function either<Purpose>(
	[first, second]: readonly [Purpose, Purpose],
	attempt: (purpose: Purpose) => Promise<AccountToken>,
): Promise<AccountToken> {
	try {
		return await attempt(first);
	} catch (error) {
		if (error instanceof ApiError && error.code === 'ACCOUNT_TOKEN_INVALID') return attempt(second);
		throw error;
	}
}
