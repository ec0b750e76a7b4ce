import { apiError } from '@paddock/contract';
import type { AuthDeps } from '../deps.ts';
import { deviceTokenHeader } from '../devices/devices.ts';
import { challengeOf } from '../second-factor/challenges.ts';
import type { User } from '../users/store.ts';
import { finishSignIn, type ProvenSignIn, type SignInRequest } from './finish-sign-in.ts';
import { logRefusal } from './prove-password.ts';
import type { PasswordSource } from './sign-in-subject.ts';

/**
 * Continues a sign-in after its first step: the session, or the challenge for the second step.
 * @throws ApiError FORBIDDEN, ACCOUNT_LOCKED, SECOND_FACTOR_REQUIRED, SECOND_FACTOR_ENROLMENT_REQUIRED; those of `finishSignIn`
 */
export async function continueSignIn(deps: AuthDeps, request: SignInRequest, proven: ProvenSignIn) {
	const { user, source } = proven;
	const { address, log } = request;
	refuseBarred(user, { log, source, address });
	const challenge = await challengeOf(deps, proven);
	if (challenge !== undefined) {
		log.info('sign-in awaits its second step', { userId: user.id, address, source: source.kind });
		throw challenge;
	}
	return finishSignIn(deps, request, proven);
}

/** The device of a request that signs in to this account. */
export function sourceOf(
	{ devices }: Pick<AuthDeps, 'devices'>,
	{ address, headers }: SignInRequest,
	{ email }: Pick<User, 'email'>,
): Promise<PasswordSource> {
	return devices.sourceOf({ email, address, token: headers[deviceTokenHeader] });
}

/** Call only after the first step was verified: the status must not be disclosed to other clients. */
function refuseBarred({ id, status }: User, claim: Parameters<typeof logRefusal>[0]): void {
	if (status === 'SUSPENDED') {
		logRefusal(claim, id, 'accountSuspended');
		throw apiError('FORBIDDEN', { message: 'The account is suspended.' });
	}
	if (status === 'LOCKED') {
		logRefusal(claim, id, 'accountLocked');
		throw apiError('ACCOUNT_LOCKED', { message: 'The account was locked by an administrator.' });
	}
}
