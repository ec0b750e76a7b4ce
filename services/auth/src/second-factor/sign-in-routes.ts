import { randomUUID } from 'node:crypto';
import type { Route } from '@paddock/service';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { type AuthDeps, route } from '../deps.ts';
import { authError, errorsNamed } from '../errors.ts';
import { sourceOf } from '../sign-in/continue-sign-in.ts';
import { finishSignIn, type SignInRequest } from '../sign-in/finish-sign-in.ts';
import { signInSchema } from '../sign-in/schemas.ts';
import type { SignInSource } from '../sign-in/sign-in-subject.ts';
import type { User } from '../users/store.ts';
import { challengeHash, readChallenge, takeChallenge } from './challenges.ts';
import { completeTotp, enrolFactor } from './enrol.ts';
import { codeProof, proveFactor } from './prove-factor.ts';
import {
	challengeBody,
	challengeCodeBody,
	challengePasskeyBody,
	enrolledSignIn,
	passkeyOptions,
	totpEnrolment,
} from './schemas.ts';
import { insertPendingTotp } from './store.ts';
import { newTotp } from './totp.ts';

const shared = {
	method: 'post',
	access: 'public',
	writers: 'anyone',
	cacheControl: 'no-store',
} as const;
const deviceHeader = {
	'X-Device-Token':
		'The `deviceToken` of an earlier sign-in to this account on this device, as with the password.',
};
const attempts = errorsNamed('SIGN_IN_CHALLENGE_INVALID', 'SECOND_FACTOR_WRONG', 'ACCOUNT_LOCKED');

const secondFactor = route({
	...shared,
	path: '/auth/login/second-factor',
	operationId: 'completeSignIn',
	summary: 'Complete a sign-in with a code',
	description:
		'The second step after `SECOND_FACTOR_REQUIRED`. Each code is accepted once. Wrong codes delay further ones and lock like wrong passwords.',
	headers: deviceHeader,
	body: challengeCodeBody,
	output: signInSchema,
	message: 'Signed in',
	errors: attempts,
	handler: async (request, deps) => {
		const { challengeToken, code } = request.body;
		const user = await readChallenge(deps.db, challengeToken, 'SECOND_FACTOR', deps.now());
		const { source, claim } = await claimOf(deps, request, user);
		const methods = await proveFactor(deps, claim, codeProof(deps, claim, code));
		const first = await takeChallenge(deps.db, challengeToken, deps.now());
		return finishSignIn(deps, request, { ...first, user, source, methods: [...first.methods, ...methods] });
	},
});

const options = route({
	...shared,
	path: '/auth/login/passkey-options',
	operationId: 'getSignInPasskeyOptions',
	summary: 'Begin the second step of a sign-in with a passkey',
	body: challengeBody,
	output: passkeyOptions,
	message: 'Options',
	errors: errorsNamed('SIGN_IN_CHALLENGE_INVALID', 'PASSKEYS_NOT_CONFIGURED', 'NO_PASSKEY'),
	handler: async ({ body: { challengeToken } }, { db, passkeys, now }) => {
		const user = await readChallenge(db, challengeToken, 'SECOND_FACTOR', now());
		const owner = { kind: 'signIn', challengeHash: challengeHash(challengeToken) } as const;
		return { challenge: '', ...(await passkeys.requestOptions(user.id, owner)) };
	},
});

const passkey = route({
	...shared,
	path: '/auth/login/passkey',
	operationId: 'completeSignInWithPasskey',
	summary: 'Complete a sign-in with a passkey',
	headers: deviceHeader,
	body: challengePasskeyBody,
	output: signInSchema,
	message: 'Signed in',
	errors: { ...attempts, ...errorsNamed('PASSKEYS_NOT_CONFIGURED') },
	handler: async (request, deps) => {
		const { challengeToken, credential } = request.body;
		const user = await readChallenge(deps.db, challengeToken, 'SECOND_FACTOR', deps.now());
		const { source, claim } = await claimOf(deps, request, user);
		const owner = { kind: 'signIn', challengeHash: challengeHash(challengeToken) } as const;
		const proof = () => deps.passkeys.prove(user.id, owner, credential as AuthenticationResponseJSON);
		const methods = await proveFactor(deps, claim, proof);
		const first = await takeChallenge(deps.db, challengeToken, deps.now());
		return finishSignIn(deps, request, { ...first, user, source, methods: [...first.methods, ...methods] });
	},
});

const enrolment = route({
	...shared,
	path: '/auth/login/enrolment',
	operationId: 'beginSignInEnrolment',
	summary: 'Begin the enrolment of an authenticator app during a sign-in',
	description:
		'After `SECOND_FACTOR_ENROLMENT_REQUIRED`: the account must have a second factor and has none.',
	body: challengeBody,
	output: totpEnrolment,
	message: 'Enrolment begun',
	errors: errorsNamed('SIGN_IN_CHALLENGE_INVALID', 'TOTP_ENROLLED'),
	handler: async ({ body: { challengeToken } }, { db, secrets, now }) => {
		const user = await readChallenge(db, challengeToken, 'ENROLMENT', now());
		const totp = await newTotp(user.email);
		const pending = { id: randomUUID(), userId: user.id, secret: totp.secret, createdAt: now() };
		if (!(await insertPendingTotp(db, secrets, pending))) throw authError('TOTP_ENROLLED');
		return totp;
	},
});

const confirmation = route({
	...shared,
	path: '/auth/login/enrolment/confirm',
	operationId: 'completeSignInEnrolment',
	summary: 'Complete the enrolment and the sign-in with the first code',
	description: 'Other sessions of the account end.',
	headers: deviceHeader,
	body: challengeCodeBody,
	output: enrolledSignIn,
	message: 'Signed in',
	errors: errorsNamed('SIGN_IN_CHALLENGE_INVALID', 'SECOND_FACTOR_WRONG'),
	handler: async (request, deps) => {
		const { challengeToken, code } = request.body;
		const user = await readChallenge(deps.db, challengeToken, 'ENROLMENT', deps.now());
		const { source } = await claimOf(deps, request, user);
		const enrolment = { userId: user.id, keptSession: undefined, kind: 'TOTP', label: null } as const;
		let first: Awaited<ReturnType<typeof takeChallenge>> = { methods: [] };
		const recoveryCodes = await enrolFactor(deps, enrolment, async (transaction, hasFactor) => {
			// Its owner has enrolled one meanwhile; this challenge is from before, with the password alone.
			if (hasFactor) throw authError('SIGN_IN_CHALLENGE_INVALID');
			first = await takeChallenge(transaction, challengeToken, deps.now());
			await completeTotp(deps, transaction, user, code);
		});
		request.log.warn('a second factor was enrolled', { userId: user.id, kind: 'TOTP' });
		const methods = [...first.methods, 'otp', 'mfa'];
		const signedIn = await finishSignIn(deps, request, { ...first, user, source, methods });
		return { ...signedIn, recoveryCodes: [...recoveryCodes] };
	},
});

/** The device of the request, and its claim to have a factor of the account. */
async function claimOf(deps: AuthDeps, { address, headers, log }: SignInRequest, user: User) {
	const source = await sourceOf(deps, { address, headers, log }, user);
	const series = source.kind === 'knownDevice' ? source.deviceId : undefined;
	const attempt: Extract<SignInSource, { kind: 'secondFactor' }> = {
		kind: 'secondFactor',
		userId: user.id,
		series,
		address,
	};
	return { source, claim: { userId: user.id, source: attempt, log } };
}

export const secondFactorSignInRoutes: readonly Route<AuthDeps>[] = [
	secondFactor,
	options,
	passkey,
	enrolment,
	confirmation,
];
