import { randomUUID } from 'node:crypto';
import { apiError } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import { administratorsOnly, type Route } from '@paddock/service';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { type AuthDeps, route } from '../deps.ts';
import { deleteDevicesOf } from '../devices/store.ts';
import { authError, errorsNamed } from '../errors.ts';
import { enqueueAccountMail } from '../mails/account-mail.ts';
import type { FactorKind } from '../mails/notice-texts.ts';
import {
	recoveryCodesRenewedMail,
	secondFactorRemovedMail,
	secondFactorsResetMail,
} from '../mails/notices.ts';
import { revokeSessions } from '../revocations/store.ts';
import { requireAdministrator, requireSession } from '../sessions/require-session.ts';
import { endSessionsOf } from '../sessions/store.ts';
import { lockUser, type User } from '../users/store.ts';
import { completeTotp, enrolFactor } from './enrol.ts';
import { insertPasskey, listPasskeys } from './passkey-store.ts';
import { requireRecentAuthentication, requireStepUp } from './policy.ts';
import { newRecoveryCodes } from './recovery-codes.ts';
import {
	codeBody,
	enrolledSchema,
	newPasskeyBody,
	passkeyOptions,
	recoveryCodes,
	resetBody,
	resetSchema,
	secondFactorsDto,
	secondFactorsSchema,
	totpEnrolment,
} from './schemas.ts';
import {
	countRecoveryCodes,
	deleteAllSecondFactors,
	deleteSecondFactor,
	hasSecondFactor,
	insertPendingTotp,
	listSecondFactors,
	replaceRecoveryCodes,
} from './store.ts';
import { newTotp } from './totp.ts';

const passkeysMax = 10;
const signedIn = { access: 'signedIn', cacheControl: 'no-store' } as const;
const stepUp = errorsNamed('STEP_UP_REQUIRED');

const list = route({
	...signedIn,
	method: 'get',
	path: '/auth/second-factors',
	operationId: 'listSecondFactors',
	readers: 'account',
	summary: 'The second factors of the caller’s account',
	output: secondFactorsSchema,
	message: 'Second factors',
	handler: async ({ principal }, deps) => factorsOf(deps, await requireSession(deps, principal)),
});

const beginTotp = route({
	...signedIn,
	method: 'post',
	writers: 'account',
	path: '/auth/second-factors/totp',
	operationId: 'beginTotpEnrolment',
	summary: 'Begin the enrolment of an authenticator app',
	description:
		'It is enrolled when its first code is confirmed. Needs an authentication within the last ten minutes (`STEP_UP_REQUIRED`): with an enrolled factor, or with the password if there is none.',
	output: totpEnrolment,
	message: 'Enrolment begun',
	errors: { ...stepUp, ...errorsNamed('TOTP_ENROLLED') },
	handler: async ({ principal }, deps) => {
		const user = await requireSession(deps, principal);
		await requireRecentAuthentication(deps, user, principal);
		const totp = await newTotp(user.email);
		const pending = { id: randomUUID(), userId: user.id, secret: totp.secret, createdAt: deps.now() };
		// In a transaction, which records the author of the change.
		const isBegun = await inTransaction(deps.db, (transaction) =>
			insertPendingTotp(transaction, deps.secrets, pending),
		);
		if (!isBegun) throw authError('TOTP_ENROLLED');
		return totp;
	},
});

const confirmTotp = route({
	...signedIn,
	method: 'post',
	writers: 'account',
	path: '/auth/second-factors/totp/confirm',
	operationId: 'confirmTotpEnrolment',
	summary: 'Complete the enrolment of an authenticator app with its first code',
	description:
		'With the first factor, other sessions of the account end. Refresh the token: it then shows the second factor.',
	body: codeBody,
	output: enrolledSchema,
	message: 'Authenticator app enrolled',
	errors: { ...stepUp, ...errorsNamed('SECOND_FACTOR_WRONG') },
	handler: async (request, deps) => {
		const { principal, body, log } = request;
		const user = await requireSession(deps, principal);
		const factor = { kind: 'TOTP', label: null } as const;
		const codes = await enrol(deps, principal, { user, ...factor }, async (transaction) => {
			await completeTotp(deps, transaction, user, body.code);
		});
		await deps.sessions.authenticateAgain(user, principal.sessionId, ['otp', 'mfa']);
		log.warn('a second factor was enrolled', { userId: user.id, kind: 'TOTP' });
		return { ...(await factorsOf(deps, user)), recoveryCodes: [...codes] };
	},
});

const beginPasskey = route({
	...signedIn,
	method: 'post',
	writers: 'account',
	path: '/auth/second-factors/passkeys/options',
	operationId: 'getPasskeyEnrolmentOptions',
	summary: 'Begin the enrolment of a passkey',
	description:
		'Needs an authentication within the last ten minutes, like the enrolment of an authenticator app.',
	output: passkeyOptions,
	message: 'Options',
	errors: { ...stepUp, ...errorsNamed('PASSKEYS_NOT_CONFIGURED', 'TOO_MANY_PASSKEYS') },
	handler: async ({ principal }, deps) => {
		const user = await requireSession(deps, principal);
		await requireRecentAuthentication(deps, user, principal);
		await requireRoom(deps, user);
		const owner = { kind: 'enrolment', sessionId: principal.sessionId } as const;
		return { challenge: '', ...(await deps.passkeys.creationOptions(user, owner)) };
	},
});

const addPasskey = route({
	...signedIn,
	method: 'post',
	writers: 'account',
	path: '/auth/second-factors/passkeys',
	operationId: 'enrolPasskey',
	summary: 'Enrol a passkey',
	description: 'With the first factor, other sessions of the account end.',
	body: newPasskeyBody,
	output: enrolledSchema,
	message: 'Passkey enrolled',
	errors: {
		...stepUp,
		...errorsNamed('PASSKEYS_NOT_CONFIGURED', 'PASSKEY_REFUSED', 'PASSKEY_KNOWN', 'TOO_MANY_PASSKEYS'),
	},
	handler: async ({ principal, body, log }, deps) => {
		const user = await requireSession(deps, principal);
		const owner = { kind: 'enrolment', sessionId: principal.sessionId } as const;
		const credential = body.credential as RegistrationResponseJSON;
		const passkey = await deps.passkeys.register(user, owner, credential);
		const { name } = body;
		const factor = { kind: 'PASSKEY', label: name } as const;
		const codes = await enrol(deps, principal, { user, ...factor }, async (transaction) => {
			await requireRoom({ db: transaction }, user);
			await insertPasskey(transaction, { ...passkey, name, userId: user.id, createdAt: deps.now() });
		});
		await deps.sessions.authenticateAgain(user, principal.sessionId, [
			passkey.isSynced ? 'swk' : 'hwk',
			'mfa',
		]);
		log.warn('a second factor was enrolled', { userId: user.id, kind: 'PASSKEY' });
		return { ...(await factorsOf(deps, user)), recoveryCodes: [...codes] };
	},
});

const renewRecoveryCodes = route({
	...signedIn,
	method: 'post',
	writers: 'account',
	path: '/auth/second-factors/recovery-codes',
	operationId: 'renewRecoveryCodes',
	summary: 'Replace the recovery codes',
	output: recoveryCodes,
	message: 'Recovery codes',
	errors: { ...stepUp, ...errorsNamed('NO_SECOND_FACTOR') },
	handler: async ({ principal, log }, deps) => {
		const user = await requireSession(deps, principal);
		await requireStepUp(deps, user, principal);
		const codes = newRecoveryCodes();
		await inTransaction(deps.db, async (transaction) => {
			await lockUser(transaction, user.id);
			if (!(await hasSecondFactor(transaction, user.id))) throw authError('NO_SECOND_FACTOR');
			await replaceRecoveryCodes(transaction, user.id, codes, deps.now());
			await enqueueAccountMail({ ...deps, transaction }, recoveryCodesRenewedMail, { userId: user.id });
		});
		log.warn('recovery codes were replaced', { userId: user.id });
		return { recoveryCodes: [...codes] };
	},
});

const remove = route({
	...signedIn,
	method: 'delete',
	writers: 'account',
	path: '/auth/second-factors/{id}',
	operationId: 'deleteSecondFactor',
	summary: 'Delete a second factor',
	description:
		'Needs a second factor within the last ten minutes. The last one of an account that must have one stays. With the last one its recovery codes are deleted.',
	output: secondFactorsSchema,
	message: 'Second factor deleted',
	errors: { ...stepUp, ...errorsNamed('LAST_SECOND_FACTOR') },
	handler: async ({ principal, params, log }, deps) => {
		const user = await requireSession(deps, principal);
		await requireStepUp(deps, user, principal);
		await inTransaction(deps.db, async (transaction) => {
			const locked = await lockUser(transaction, user.id);
			const removed = await deleteSecondFactor(transaction, user.id, params.id);
			if (removed === undefined) throw apiError('NOT_FOUND');
			const notice = { userId: user.id, ...removed };
			await enqueueAccountMail({ ...deps, transaction }, secondFactorRemovedMail, notice);
			if (await hasSecondFactor(transaction, user.id)) return;
			if (deps.isMfaRequired(locked)) throw authError('LAST_SECOND_FACTOR');
			await deleteAllSecondFactors(transaction, user.id);
		});
		log.warn('a second factor was removed', { userId: user.id, factorId: params.id });
		return factorsOf(deps, user);
	},
});

const reset = route({
	...signedIn,
	method: 'post',
	writers: 'office',
	path: '/auth/users/{id}/reset-second-factors',
	operationId: 'resetSecondFactors',
	summary: 'Remove all second factors of an account whose owner has lost them',
	description:
		'Check the identity of the owner first: the password alone then signs in. Removes recovery codes too, ends all sessions of the account and forgets its known devices. Logged with the administrator and the reason.',
	access: administratorsOnly,
	body: resetBody,
	output: resetSchema,
	message: 'Second factors removed',
	errors: stepUp,
	handler: async ({ principal, params, body, log }, deps) => {
		const administrator = await requireAdministrator(deps, principal);
		await requireStepUp(deps, administrator, principal);
		const at = deps.now();
		const removed = await inTransaction(deps.db, async (transaction) => {
			await requireAdministrator({ ...deps, db: transaction }, principal);
			const user = await lockUser(transaction, params.id);
			const count = await deleteAllSecondFactors(transaction, user.id);
			await revokeSessions(transaction, await endSessionsOf(transaction, user.id, at), at);
			await deleteDevicesOf(transaction, user.id);
			if (count > 0)
				await enqueueAccountMail({ ...deps, transaction }, secondFactorsResetMail, { userId: user.id });
			return count;
		});
		const { reason } = body;
		log.warn('second factors were removed by an administrator', {
			userId: params.id,
			removed,
			reason,
			by: administrator.id,
		});
		return { userId: params.id, removed, resetAt: at.toISOString() };
	},
});

/**
 * Enrols under the lock of the account. The rule is checked again there: an attacker who knows the password may have begun
 * before the owner enrolled the first factor.
 */
function enrol(
	deps: AuthDeps,
	principal: Principal,
	{ user, ...factor }: { readonly user: User; readonly kind: FactorKind; readonly label: string | null },
	insert: (transaction: AuthDeps['db']) => Promise<void>,
): Promise<readonly string[]> {
	const enrolment = { userId: user.id, keptSession: principal.sessionId, ...factor };
	return enrolFactor(deps, enrolment, async (transaction) => {
		const live = { ...deps, db: transaction };
		await requireSession(live, principal);
		await requireRecentAuthentication(live, user, principal);
		await insert(transaction);
	});
}

async function requireRoom({ db }: Pick<AuthDeps, 'db'>, { id }: User): Promise<void> {
	if ((await listPasskeys(db, id)).length >= passkeysMax) throw authError('TOO_MANY_PASSKEYS');
}

async function factorsOf(deps: AuthDeps, user: User) {
	const [factors, left] = await Promise.all([
		listSecondFactors(deps.db, user.id),
		countRecoveryCodes(deps.db, user.id),
	]);
	return secondFactorsDto(factors, left, deps.isMfaRequired(user));
}

export const secondFactorRoutes: readonly Route<AuthDeps>[] = [
	list,
	beginTotp,
	confirmTotp,
	beginPasskey,
	addPasskey,
	renewRecoveryCodes,
	remove,
	reset,
];
