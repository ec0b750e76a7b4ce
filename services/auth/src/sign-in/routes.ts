import { inTransaction } from '@paddock/database';
import type { Route } from '@paddock/service';
import { type AuthDeps, route } from '../deps.ts';
import { deviceTokenHeader } from '../devices/devices.ts';
import { authError, errorsNamed } from '../errors.ts';
import { revokeSessions } from '../revocations/store.ts';
import { endSession } from '../sessions/store.ts';
import { continueSignIn } from './continue-sign-in.ts';
import { provePassword } from './prove-password.ts';
import { registerAccount } from './register-account.ts';
import {
	endedSessionSchema,
	loginBody,
	refreshBody,
	registerBody,
	registrationSchema,
	signInSchema,
	tokensDto,
	tokensSchema,
} from './schemas.ts';
import { addressSeries } from './sign-in-subject.ts';

/** @param passwordLengthMin code points */
export function signInRoutes(passwordLengthMin: number): readonly Route<AuthDeps>[] {
	return [register(passwordLengthMin), login, refresh, logout];
}

function register(passwordLengthMin: number): Route<AuthDeps> {
	return route({
		method: 'post',
		path: '/auth/register',
		operationId: 'register',
		writers: 'anyone',
		summary: 'Create an account',
		description:
			'Responds the same, in the same time, whether the address has an account: the mail to it has a link that verifies the address, or says that there is an account already; of an invited account it is the invitation again. The account gets the role MEMBER; until the address is verified it can sign in, but has no rights beyond its profile, and is deleted after a week.',
		access: 'public',
		body: registerBody(passwordLengthMin),
		output: registrationSchema,
		status: 201,
		message: 'Registered',
		location: () => '/auth/profile',
		cacheControl: 'no-store',
		handler: async ({ body, address, signal, log }, deps) => {
			const { password, ...fields } = body;
			const turn = { key: addressSeries(address), signal };
			const passwordHash = await deps.passwordQueue.run(turn, () => deps.passwordHash.hash(password));
			const user = await registerAccount(deps, { ...fields, passwordHash });
			if (user !== undefined) log.info('an account was registered', { userId: user.id });
			return { email: body.email, verificationRequired: deps.emailVerification };
		},
	});
}

const login = route({
	method: 'post',
	path: '/auth/login',
	operationId: 'login',
	writers: 'anyone',
	summary: 'Sign in',
	description:
		'Failed attempts delay further ones and then lock for a while; `Retry-After` has the time. They are counted per known device, and for all unknown devices of an account together, so a lock caused by others does not affect devices that have signed in before. An administrator can release the account. With a second factor the sign-in has two steps: the response to the password is 403 `SECOND_FACTOR_REQUIRED` with a `challengeToken` for the second one, valid for five minutes and nowhere else.',
	access: 'public',
	headers: {
		'X-Device-Token':
			'The `deviceToken` of an earlier sign-in to this account on this device. An unknown one is ignored.',
	},
	body: loginBody,
	output: signInSchema,
	message: 'Signed in',
	cacheControl: 'no-store',
	errors: {
		...errorsNamed(
			'INVALID_CREDENTIALS',
			'ACCOUNT_LOCKED',
			'SECOND_FACTOR_REQUIRED',
			'SECOND_FACTOR_ENROLMENT_REQUIRED',
		),
		FORBIDDEN: { status: 403, message: 'The account is suspended.' },
	},
	handler: async ({ body, address, headers, signal, log }, deps) => {
		const token = headers[deviceTokenHeader];
		const source = await deps.devices.sourceOf({ email: body.email, address, token });
		const claim = { ...body, source, address, signal, log };
		const user = await provePassword(deps, claim);
		if (user === undefined) throw authError('INVALID_CREDENTIALS');
		return continueSignIn(deps, { address, headers, log }, { user, source, methods: ['pwd'] });
	},
});

const refresh = route({
	method: 'post',
	path: '/auth/refresh',
	operationId: 'refreshTokens',
	writers: 'anyone',
	summary: 'Exchange a refresh token for new tokens',
	description:
		'Each refresh token is for one exchange. A second use within a few seconds, after a lost response or by another tab, returns the refresh token of the first use, if that is unused. Any other second use counts as theft and ends the session.',
	access: 'public',
	body: refreshBody,
	output: tokensSchema,
	message: 'Refreshed',
	cacheControl: 'no-store',
	errors: { INVALID_TOKEN: { status: 401, message: 'The refresh token is not valid. Sign in again.' } },
	handler: async ({ body, log }, { sessions, now }) =>
		tokensDto(await sessions.refresh(body.refreshToken, log), now()),
});

const logout = route({
	method: 'post',
	path: '/auth/logout',
	operationId: 'logout',
	writers: 'account',
	summary: 'End the session',
	description:
		'Needs no body. The refresh tokens of the session are void at once, also if it had ended before; its access tokens are refused within seconds.',
	access: 'signedIn',
	unverifiedToo: true,
	output: endedSessionSchema,
	message: 'Signed out',
	cacheControl: 'no-store',
	handler: async ({ principal }, { db, now }) => {
		const at = now();
		await inTransaction(db, async (transaction) => {
			await revokeSessions(transaction, await endSession(transaction, principal.sessionId, at), at);
		});
		return { sessionId: principal.sessionId, endedAt: at.toISOString() };
	},
});
