import type { Principal } from '@paddock/identity';
import type { Route } from '@paddock/service';
import type { Logger } from '@paddock/telemetry';
import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { z } from 'zod';
import { type AuthDeps, route } from '../deps.ts';
import { authError, errorsNamed } from '../errors.ts';
import { givenPassword } from '../passwords/password-rules.ts';
import { requireSession } from '../sessions/require-session.ts';
import { provePassword } from '../sign-in/prove-password.ts';
import { secondsUntil } from '../sign-in/schemas.ts';
import type { User } from '../users/store.ts';
import { stepUpRequired } from './policy.ts';
import { codeProof, proveFactor } from './prove-factor.ts';
import { codeBody, passkeyBody, passkeyOptions, steppedUpSchema } from './schemas.ts';
import { hasSecondFactor } from './store.ts';

const shared = { method: 'post', access: 'signedIn', writers: 'account', cacheControl: 'no-store' } as const;
const attempts = errorsNamed('SECOND_FACTOR_WRONG', 'ACCOUNT_LOCKED');

const withCode = route({
	...shared,
	path: '/auth/step-up',
	operationId: 'stepUp',
	summary: 'Confirm the second factor for sensitive operations',
	description:
		'For operations that respond with `STEP_UP_REQUIRED`. The access token of the response shows the time and the methods in its claims `auth_time` and `amr`, and so do those of later refreshes; wrong codes delay and lock this session only.',
	body: codeBody,
	output: steppedUpSchema,
	message: 'Confirmed',
	errors: attempts,
	handler: async ({ principal, body, address, log }, deps) => {
		const user = await requireSession(deps, principal);
		const claim = claimOf(principal, user, { address, log });
		return steppedUp(
			deps,
			principal,
			user,
			await proveFactor(deps, claim, codeProof(deps, claim, body.code)),
		);
	},
});

const options = route({
	...shared,
	path: '/auth/step-up/passkey-options',
	operationId: 'getStepUpPasskeyOptions',
	summary: 'Begin a confirmation with a passkey',
	output: passkeyOptions,
	message: 'Options',
	errors: errorsNamed('PASSKEYS_NOT_CONFIGURED', 'NO_PASSKEY'),
	handler: async ({ principal }, deps) => {
		const user = await requireSession(deps, principal);
		const owner = { kind: 'stepUp', sessionId: principal.sessionId } as const;
		return { challenge: '', ...(await deps.passkeys.requestOptions(user.id, owner)) };
	},
});

const withPasskey = route({
	...shared,
	path: '/auth/step-up/passkey',
	operationId: 'stepUpWithPasskey',
	summary: 'Confirm a passkey for sensitive operations',
	body: passkeyBody,
	output: steppedUpSchema,
	message: 'Confirmed',
	errors: { ...attempts, ...errorsNamed('PASSKEYS_NOT_CONFIGURED') },
	handler: async ({ principal, body, address, log }, deps) => {
		const user = await requireSession(deps, principal);
		const owner = { kind: 'stepUp', sessionId: principal.sessionId } as const;
		const credential = body.credential as AuthenticationResponseJSON;
		const proof = () => deps.passkeys.prove(user.id, owner, credential);
		return steppedUp(
			deps,
			principal,
			user,
			await proveFactor(deps, claimOf(principal, user, { address, log }), proof),
		);
	},
});

const passwordBody = z.strictObject({ password: givenPassword }).meta({
	id: 'PasswordConfirmation',
	description: 'The current password.',
	example: { password: 'canter over the hedge' },
});

const withPassword = route({
	...shared,
	path: '/auth/step-up/password',
	operationId: 'stepUpWithPassword',
	summary: 'Confirm the password before the first second factor is enrolled',
	description:
		'Only for accounts that neither have nor need a second factor: 403 `STEP_UP_REQUIRED` for others. Wrong passwords delay and lock this session only.',
	body: passwordBody,
	output: steppedUpSchema,
	message: 'Confirmed',
	errors: errorsNamed('CURRENT_PASSWORD_WRONG', 'ACCOUNT_LOCKED', 'STEP_UP_REQUIRED'),
	handler: async ({ principal, body, address, signal, log }, deps) => {
		const { id, email, roles } = await requireSession(deps, principal);
		if (await hasSecondFactor(deps.db, id)) throw stepUpRequired();
		// As a refresh: access tokens of a session from before REQUIRE_MFA would follow each other without end.
		if (deps.isMfaRequired({ roles }))
			throw stepUpRequired('This account must have a second factor. Sign in again to enrol one.');
		const source = { kind: 'session', sessionId: principal.sessionId, address } as const;
		const claim = { email, password: body.password, source, address, signal, log };
		const user = await provePassword(deps, claim);
		if (user === undefined) throw authError('CURRENT_PASSWORD_WRONG');
		return steppedUp(deps, principal, user, ['pwd']);
	},
});

function claimOf(
	{ sessionId }: Principal,
	{ id: userId }: User,
	{ address, log }: { readonly address: string; readonly log: Logger },
) {
	const source = { kind: 'secondFactor', userId, series: sessionId, address } as const;
	return { userId, source, log };
}

async function steppedUp(deps: AuthDeps, { sessionId }: Principal, user: User, methods: readonly string[]) {
	const { accessToken, accessExpiresAt } = await deps.sessions.authenticateAgain(user, sessionId, methods);
	const expiresIn = secondsUntil(accessExpiresAt, deps.now());
	return { accessToken, tokenType: 'Bearer' as const, expiresIn };
}

export const stepUpRoutes: readonly Route<AuthDeps>[] = [withCode, options, withPasskey, withPassword];
