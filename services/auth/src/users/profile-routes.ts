import { refuseInvalid } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { type Route, requireVersion } from '@paddock/service';
import { type AuthDeps, route, update } from '../deps.ts';
import { deleteDevicesOf } from '../devices/store.ts';
import { authError, errorsNamed } from '../errors.ts';
import { enqueueAccountMail } from '../mails/account-mail.ts';
import { holdsOwnName } from '../passwords/password-rules.ts';
import { passwordChangedMail } from '../recovery/recovery-mails.ts';
import { revokeSessions } from '../revocations/store.ts';
import { requireSession } from '../sessions/require-session.ts';
import { endSessionsOf } from '../sessions/store.ts';
import { provePassword } from '../sign-in/prove-password.ts';
import { ownNameMessage, passwordBody } from '../sign-in/schemas.ts';
import { queueLineOf } from '../sign-in/sign-in-subject.ts';
import { accountTag, profileBody, userDto, userSchema } from './schemas.ts';
import { lockUser, updateUser } from './store.ts';

/** @param passwordLengthMin code points */
export function profileRoutes(passwordLengthMin: number): readonly Route<AuthDeps>[] {
	return [getProfile, ...profileUpdates, changePassword(passwordLengthMin)];
}

const getProfile = route({
	method: 'get',
	path: '/auth/profile',
	operationId: 'getProfile',
	readers: 'account',
	summary: 'Get the caller’s account',
	access: 'signedIn',
	unverifiedToo: true,
	output: userSchema,
	message: 'Profile',
	etag: accountTag,
	cacheControl: 'private, no-cache',
	handler: async ({ principal }, deps) => userDto(await requireSession(deps, principal)),
});

const profileUpdates = update({
	path: '/auth/profile',
	operationId: 'updateProfile',
	writers: 'account',
	summary: 'Change names, phone and language of the caller’s account',
	access: 'signedIn',
	unverifiedToo: true,
	body: profileBody,
	output: userSchema,
	message: 'Profile changed',
	etag: accountTag,
	handler: async ({ principal, update, preconditions }, deps) => {
		const seen = await requireSession(deps, principal);
		requireVersion(preconditions, seen.version);
		update.onto(userDto(seen));
		return inTransaction(deps.db, async (transaction) => {
			const user = await lockUser(transaction, seen.id);
			requireVersion(preconditions, user.version);
			return userDto(await updateUser(transaction, user, update.onto(userDto(user)), deps.now()));
		});
	},
});

function changePassword(passwordLengthMin: number): Route<AuthDeps> {
	return route({
		method: 'post',
		path: '/auth/change-password',
		operationId: 'changePassword',
		writers: 'account',
		summary: 'Change the caller’s password',
		description:
			'Ends every other session, whose access tokens are refused within seconds, and forgets every other known device. Wrong current passwords delay and lock this session only, not the sign-in.',
		access: 'signedIn',
		unverifiedToo: true,
		body: passwordBody(passwordLengthMin),
		output: userSchema,
		message: 'Password changed',
		etag: accountTag,
		errors: errorsNamed('CURRENT_PASSWORD_WRONG', 'PASSWORD_UNCHANGED', 'ACCOUNT_LOCKED'),
		handler: async ({ principal, body, address, signal, log }, deps) => {
			const { db, passwordQueue, passwordHash, now, jobs } = deps;
			const { email, firstName, lastName } = await requireSession(deps, principal);
			if (holdsOwnName(body.newPassword, { email, firstName, lastName }))
				refuseInvalid([{ field: 'newPassword', code: 'INVALID_FORMAT', message: ownNameMessage }]);
			const source = { kind: 'session', sessionId: principal.sessionId, address } as const;
			const proven = await provePassword(deps, {
				email,
				password: body.currentPassword,
				source,
				address,
				signal,
				log,
			});
			if (proven === undefined) throw authError('CURRENT_PASSWORD_WRONG');
			// Passwords are hashed in this form.
			if (body.currentPassword.normalize('NFKC') === body.newPassword) throw authError('PASSWORD_UNCHANGED');
			const hash = await passwordQueue.run({ ...queueLineOf(source), signal }, () =>
				passwordHash.hash(body.newPassword),
			);
			return inTransaction(db, async (transaction) => {
				const user = await lockUser(transaction, proven.id);
				// The password was changed while this hash was computed, so `currentPassword` is no longer the current
				// one.
				if (user.passwordChangedAt.getTime() !== proven.passwordChangedAt.getTime())
					throw authError('CURRENT_PASSWORD_WRONG');
				// The hash may have been queued for seconds; the session or the account may have been closed since.
				await requireSession({ db: transaction, now }, principal);
				const changed = await updateUser(transaction, user, { passwordHash: hash }, now());
				const ended = await endSessionsOf(transaction, user.id, now(), principal.sessionId);
				await deleteDevicesOf(transaction, user.id, principal.sessionId);
				await enqueueAccountMail({ jobs, transaction }, passwordChangedMail, { userId: user.id });
				await revokeSessions(transaction, ended, now());
				log.info('a password was changed', { userId: user.id });
				return userDto(changed);
			});
		},
	});
}
