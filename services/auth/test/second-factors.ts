import { generate } from 'otplib';
import { ownAddress, type Person, type RunningAuth, type Tokens } from './running-auth.ts';

export interface Challenge {
	readonly code: string;
	readonly challengeToken: string;
	readonly methods: readonly string[];
}

/** The current code of an authenticator app, or that of a later or earlier step. */
export function codeOf(auth: RunningAuth, secret: string, stepsAhead = 0): Promise<string> {
	return generate({ secret, epoch: Math.floor(auth.clock.now().getTime() / 1_000) + 30 * stepsAhead });
}

/** The response to the right password; of an account with a second factor it has a challenge. */
export async function begin(auth: RunningAuth, { email, password }: Pick<Person, 'email' | 'password'>) {
	const body = { email, password };
	return auth.call<Challenge>('POST', '/auth/login', { body, headers: ownAddress() });
}

/** The second step of a sign-in. */
export function complete(auth: RunningAuth, challengeToken: string, code: string, path = 'second-factor') {
	const body = { challengeToken, code };
	return auth.call<Tokens & { readonly code: string; readonly recoveryCodes: readonly string[] }>(
		'POST',
		`/auth/login/${path}`,
		{ body, headers: ownAddress() },
	);
}

export interface Enrolled extends Person {
	readonly secret: string;
	readonly recoveryCodes: readonly string[];
	/** From before the enrolment. */
	readonly tokens: Tokens;
}

/** Enrols an authenticator app in the session of `tokens`. Uses the current time step. */
export async function enrolTotp(auth: RunningAuth, person: Person & Tokens): Promise<Enrolled> {
	const { accessToken: token } = person;
	const begun = await auth.call<{ secret: string; uri: string }>('POST', '/auth/second-factors/totp', {
		token,
	});
	if (begun.status !== 200) throw new Error(`could not begin the enrolment: ${begun.text}`);
	const { secret } = begun.data;
	const confirmed = await auth.call<{ recoveryCodes: string[] }>(
		'POST',
		'/auth/second-factors/totp/confirm',
		{
			token,
			body: { code: await codeOf(auth, secret) },
		},
	);
	if (confirmed.status !== 200) throw new Error(`could not enrol: ${confirmed.text}`);
	return { ...person, secret, recoveryCodes: confirmed.data.recoveryCodes, tokens: person };
}

/** Signs in with the code of the next time step, which no test has used. */
export async function signInWithCode(auth: RunningAuth, person: Enrolled): Promise<Tokens> {
	auth.clock.advance(30_000);
	const { data } = await begin(auth, person);
	const response = await complete(auth, data.challengeToken, await codeOf(auth, person.secret));
	if (response.status !== 200) throw new Error(`could not sign in: ${response.text}`);
	return response.data;
}

export function claimsOf(token: string): {
	readonly auth_time: number;
	readonly amr: readonly string[];
	readonly roles: readonly string[];
} {
	return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
