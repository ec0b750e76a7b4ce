import { expect, test } from '@jest/globals';
import { userColumns } from '../src/users/store.ts';
import { type Tokens, useAuth } from './running-auth.ts';
import { begin, codeOf, complete, enrolTotp, signInWithCode } from './second-factors.ts';

const auth = useAuth({ settings: { REQUIRE_MFA: 'admin' } });
const errorCode = (response: { data: unknown }) => (response.data as { code?: string }).code;

async function newAdministrator() {
	const person = await auth.register();
	const roles = ['MEMBER' as const, 'ADMIN' as const];
	await auth.deps.db.updateTable('users').set({ roles }).where('id', '=', person.id).execute();
	return person;
}

const beginEnrolment = (challengeToken: string) =>
	auth.call<{ secret: string }>('POST', '/auth/login/enrolment', { body: { challengeToken } });

test('an administrator without a second factor gets only the enrolment, and signs in by it', async () => {
	const person = await newAdministrator();
	const first = await begin(auth, person);
	expect([first.status, first.data.code]).toEqual([403, 'SECOND_FACTOR_ENROLMENT_REQUIRED']);
	const { challengeToken } = first.data;
	// It completes no sign-in without an enrolment.
	expect(errorCode(await complete(auth, challengeToken, '000000'))).toBe('SIGN_IN_CHALLENGE_INVALID');
	expect(errorCode(await complete(auth, challengeToken, '000000', 'enrolment/confirm'))).toBe(
		'SECOND_FACTOR_WRONG',
	);
	const { secret } = (await beginEnrolment(challengeToken)).data;
	const code = await codeOf(auth, secret);
	const signedIn = await complete(auth, challengeToken, code, 'enrolment/confirm');
	expect([signedIn.status, signedIn.data.recoveryCodes]).toMatchObject([200, { length: 10 }]);
	const { accessToken: token } = signedIn.data;
	// Fresh enough for sensitive operations.
	expect((await auth.call('POST', '/auth/keys/rotate', { token })).status).toBe(200);
	expect(errorCode(await complete(auth, challengeToken, code, 'enrolment/confirm'))).toBe(
		'SIGN_IN_CHALLENGE_INVALID',
	);
	const { data } = await auth.call<{ factors: { id: string }[] }>('GET', '/auth/second-factors', { token });
	expect(data).toMatchObject({ isRequired: true, factors: [{ kind: 'TOTP' }] });
	const last = await auth.call('DELETE', `/auth/second-factors/${data.factors[0]?.id}`, { token });
	expect([last.status, errorCode(last)]).toEqual([409, 'LAST_SECOND_FACTOR']);
	const again = await begin(auth, person);
	expect(again.data.code).toBe('SECOND_FACTOR_REQUIRED');
});

test('an enrolment of which another was begun does not replace the factor that the other has completed', async () => {
	const person = await newAdministrator();
	const [attacker, owner] = [await begin(auth, person), await begin(auth, person)];
	const ofAttacker = (await beginEnrolment(attacker.data.challengeToken)).data.secret;
	const ofOwner = (await beginEnrolment(owner.data.challengeToken)).data.secret;
	expect(ofAttacker).not.toBe(ofOwner);
	const completed = await complete(
		auth,
		owner.data.challengeToken,
		await codeOf(auth, ofOwner),
		'enrolment/confirm',
	);
	expect(completed.status).toBe(200);
	const late = await complete(
		auth,
		attacker.data.challengeToken,
		await codeOf(auth, ofAttacker),
		'enrolment/confirm',
	);
	expect(errorCode(late)).toBe('SIGN_IN_CHALLENGE_INVALID');
	expect(errorCode(await beginEnrolment(attacker.data.challengeToken))).toBe('SIGN_IN_CHALLENGE_INVALID');
});

test('a session that was opened with the password alone ends when its account becomes an administrator', async () => {
	const person = await auth.member();
	const roles = ['MEMBER' as const, 'ADMIN' as const];
	await auth.deps.db.updateTable('users').set({ roles }).where('id', '=', person.id).execute();
	const refreshed = await auth.call('POST', '/auth/refresh', {
		body: { refreshToken: person.refreshToken },
	});
	expect([refreshed.status, errorCode(refreshed)]).toEqual([401, 'INVALID_TOKEN']);
	expect((await begin(auth, person)).data.code).toBe('SECOND_FACTOR_ENROLMENT_REQUIRED');
});

// As after a restart with REQUIRE_MFA: the session and its access tokens are older than the requirement.
test('the password alone prolongs no session of an account that must have a second factor, and opens none', async () => {
	const person = await auth.member();
	const before = await auth.deps.db
		.selectFrom('users')
		.select(userColumns)
		.where('id', '=', person.id)
		.executeTakeFirstOrThrow();
	const roles = ['MEMBER' as const, 'ADMIN' as const];
	await auth.deps.db.updateTable('users').set({ roles }).where('id', '=', person.id).execute();
	const { accessToken: token, password } = person;
	const refused = await auth.call('POST', '/auth/step-up/password', { token, body: { password } });
	expect([refused.status, errorCode(refused)]).toEqual([403, 'STEP_UP_REQUIRED']);
	const proof = { methods: ['pwd'], userAgent: undefined };
	expect(await auth.deps.sessions.open(before, proof)).toBeUndefined();
});

test('other accounts sign in with the password, and may enrol', async () => {
	const person = await auth.member();
	const enrolled = await enrolTotp(auth, person);
	const { refreshToken } = await signInWithCode(auth, enrolled);
	expect((await auth.call<Tokens>('POST', '/auth/refresh', { body: { refreshToken } })).status).toBe(200);
});
