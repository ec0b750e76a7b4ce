import { describe, expect, test } from '@jest/globals';
import { userColumns } from '../src/users/store.ts';
import { goodPassword, ownAddress, type Tokens, useAuth } from './running-auth.ts';
import {
	begin,
	claimsOf,
	codeOf,
	complete,
	type Enrolled,
	enrolTotp,
	signInWithCode,
} from './second-factors.ts';

const auth = useAuth();
const enrolled = async (): Promise<Enrolled> => enrolTotp(auth, await auth.member());
const errorCode = (response: { data: unknown }) => (response.data as { code?: string }).code;
const sessionsOf = (userId: string) =>
	auth.deps.db
		.selectFrom('sessions')
		.select('id')
		.where('userId', '=', userId)
		.where('endedAt', 'is', null)
		.execute();

describe('a sign-in of an account with an authenticator app', () => {
	test('has two steps: the password yields no token, the code does', async () => {
		const person = await enrolled();
		const first = await begin(auth, person);
		expect([first.status, first.data]).toMatchObject([
			403,
			{ code: 'SECOND_FACTOR_REQUIRED', methods: ['TOTP', 'RECOVERY_CODE'], expiresIn: 300 },
		]);
		expect(first.text).not.toMatch(/accessToken|refreshToken|deviceToken/);
		expect(first.headers.get('Cache-Control')).toBe('no-store');
		// The session of the enrolment.
		expect(await sessionsOf(person.id)).toHaveLength(1);

		auth.clock.advance(30_000);
		const second = await complete(auth, first.data.challengeToken, await codeOf(auth, person.secret));
		expect([second.status, second.data.user.id]).toEqual([200, person.id]);
		expect(await sessionsOf(person.id)).toHaveLength(2);
		const { auth_time: at, amr } = claimsOf(second.data.accessToken);
		expect(amr).toEqual(['pwd', 'otp', 'mfa']);
		expect(at).toBe(Math.floor(auth.clock.now().getTime() / 1_000));
		const profile = await auth.call('GET', '/auth/profile', { token: second.data.accessToken });
		expect(profile.status).toBe(200);
	});

	test('is not shortened: its challenge is no token of any kind, and other routes open no session', async () => {
		const person = await enrolled();
		const { challengeToken } = (await begin(auth, person)).data;
		const refused = await Promise.all([
			auth.call('GET', '/auth/profile', { token: challengeToken }),
			auth.call('POST', '/auth/step-up', { token: challengeToken, body: { code: '123456' } }),
			auth.call('POST', '/auth/second-factors/totp', { token: challengeToken }),
			auth.call('POST', '/auth/refresh', { body: { refreshToken: challengeToken } }),
			auth.call('POST', '/auth/login/enrolment', { body: { challengeToken } }),
			complete(auth, challengeToken, '000000', 'enrolment/confirm'),
		]);
		expect(refused.map((response) => response.status)).toEqual([401, 401, 401, 401, 400, 400]);
		expect(await sessionsOf(person.id)).toHaveLength(1);
	});

	test('accepts a code once, also of two uses at the same moment, and no earlier one afterwards', async () => {
		const person = await enrolled();
		auth.clock.advance(60_000);
		const [a, b, c] = await Promise.all(
			[1, 2, 3].map(async () => (await begin(auth, person)).data.challengeToken),
		);
		const code = await codeOf(auth, person.secret);
		const uses = await Promise.all([a, b].map((token = '') => complete(auth, token, code)));
		expect(uses.map((response) => response.status).sort()).toEqual([200, 400]);
		expect(uses.map(errorCode)).toContain('SECOND_FACTOR_WRONG');
		// Within the tolerance of the clock, but from before the used one.
		const earlier = await complete(auth, c ?? '', await codeOf(auth, person.secret, -1));
		expect(errorCode(earlier)).toBe('SECOND_FACTOR_WRONG');
		expect((await complete(auth, c ?? '', await codeOf(auth, person.secret, 1))).status).toBe(200);
	});

	test('tolerates a clock that is one step behind or ahead, not two', async () => {
		for (const [steps, status] of [
			[-2, 400],
			[-1, 200],
			[1, 200],
			[2, 400],
		] as const) {
			const person = await enrolled();
			auth.clock.advance(120_000);
			const { challengeToken } = (await begin(auth, person)).data;
			const response = await complete(auth, challengeToken, await codeOf(auth, person.secret, steps));
			expect([steps, response.status]).toEqual([steps, status]);
		}
	});

	test('refuses the code of another account, and one of the same account with another’s challenge', async () => {
		const [person, other] = [await enrolled(), await enrolled()];
		auth.clock.advance(30_000);
		const { challengeToken } = (await begin(auth, person)).data;
		const wrong = await complete(auth, challengeToken, await codeOf(auth, other.secret));
		expect(errorCode(wrong)).toBe('SECOND_FACTOR_WRONG');
		const recovery = await complete(auth, challengeToken, other.recoveryCodes[0] ?? '');
		expect(errorCode(recovery)).toBe('SECOND_FACTOR_WRONG');
		const challengeOfOther = (await begin(auth, other)).data.challengeToken;
		const crossed = await complete(auth, challengeOfOther, await codeOf(auth, person.secret));
		expect(errorCode(crossed)).toBe('SECOND_FACTOR_WRONG');
	});

	test('ends its challenge with its use, after five minutes, and with a change of the password or status', async () => {
		const person = await enrolled();
		const invalid = async (challengeToken: string) => {
			auth.clock.advance(30_000);
			return errorCode(await complete(auth, challengeToken, await codeOf(auth, person.secret)));
		};
		const used = (await begin(auth, person)).data.challengeToken;
		auth.clock.advance(30_000);
		expect((await complete(auth, used, await codeOf(auth, person.secret))).status).toBe(200);
		expect(await invalid(used)).toBe('SIGN_IN_CHALLENGE_INVALID');

		const late = (await begin(auth, person)).data.challengeToken;
		auth.clock.advance(300_000);
		expect(await invalid(late)).toBe('SIGN_IN_CHALLENGE_INVALID');
		await auth.deps.maintenance.run();
		const left = auth.deps.db.selectFrom('signInChallenges').select('userId').where('userId', '=', person.id);
		expect(await left.execute()).toEqual([]);

		const stale = (await begin(auth, person)).data.challengeToken;
		const { accessToken: token } = await signInWithCode(auth, person);
		const passwords = { currentPassword: person.password, newPassword: 'a saddle on every peg' };
		const changed = await auth.call('POST', '/auth/change-password', { token, body: passwords });
		expect(changed.status).toBe(200);
		expect(await invalid(stale)).toBe('SIGN_IN_CHALLENGE_INVALID');

		const barred = (await begin(auth, { ...person, password: passwords.newPassword })).data.challengeToken;
		await auth.deps.db
			.updateTable('users')
			.set({ status: 'SUSPENDED' })
			.where('id', '=', person.id)
			.execute();
		expect(await invalid(barred)).toBe('SIGN_IN_CHALLENGE_INVALID');
	});

	test('of two completions of one challenge opens one session', async () => {
		const person = await enrolled();
		auth.clock.advance(60_000);
		const { challengeToken } = (await begin(auth, person)).data;
		const codes = [await codeOf(auth, person.secret), person.recoveryCodes[0] ?? ''];
		const uses = await Promise.all(codes.map((code) => complete(auth, challengeToken, code)));
		expect(uses.map((response) => response.status).sort()).toEqual([200, 400]);
		expect(await sessionsOf(person.id)).toHaveLength(2);
	});

	test('delays and locks after wrong codes, whatever challenge and address they come with', async () => {
		const person = await enrolled();
		const statuses: number[] = [];
		for (let attempt = 0; attempt < 12; attempt++) {
			const { challengeToken } = (await begin(auth, person)).data;
			statuses.push((await complete(auth, challengeToken, '000000')).status);
			auth.clock.advance(33_000);
		}
		expect(statuses).toEqual([...Array(10).fill(400), 423, 423]);
		const { challengeToken } = (await begin(auth, person)).data;
		const right = await complete(auth, challengeToken, await codeOf(auth, person.secret));
		expect([right.status, right.headers.has('Retry-After')]).toEqual([423, true]);
		// A session that is open has its own count.
		const { accessToken: token } = person.tokens;
		const refreshed = await auth.call<Tokens>('POST', '/auth/refresh', {
			body: { refreshToken: person.tokens.refreshToken },
		});
		expect([token !== refreshed.data.accessToken, refreshed.status]).toEqual([true, 200]);
		const body = { code: await codeOf(auth, person.secret) };
		const stepped = await auth.call('POST', '/auth/step-up', { token: refreshed.data.accessToken, body });
		expect(stepped.status).toBe(200);
		// An administrator ends the lock.
		const admin = await auth.administrator();
		await auth.call('POST', `/auth/users/${person.id}/release`, { token: admin.accessToken });
		expect((await signInWithCode(auth, person)).user.id).toBe(person.id);
	});
});

describe('recovery codes', () => {
	test('are ten, each replaces the app once, and are stored as digests', async () => {
		const person = await enrolled();
		expect(new Set(person.recoveryCodes).size).toBe(10);
		for (const code of person.recoveryCodes) expect(code).toMatch(/^([A-Z2-7]{6}-){3}[A-Z2-7]{6}$/);
		const rows = await auth.deps.db
			.selectFrom('recoveryCodes')
			.selectAll()
			.where('userId', '=', person.id)
			.execute();
		expect(rows).toHaveLength(10);
		for (const row of rows) expect(row.codeHash).toHaveLength(32);
		const [code = ''] = person.recoveryCodes;
		// As people type it.
		const first = await complete(
			auth,
			(await begin(auth, person)).data.challengeToken,
			` ${code.toLowerCase()} `,
		);
		expect(first.status).toBe(200);
		const again = await complete(auth, (await begin(auth, person)).data.challengeToken, code);
		expect(errorCode(again)).toBe('SECOND_FACTOR_WRONG');
		const list = await auth.call('GET', '/auth/second-factors', { token: first.data.accessToken });
		expect(list.data).toMatchObject({ recoveryCodesLeft: 9 });
	});

	test('are used once by twenty uses at the same moment', async () => {
		const person = await enrolled();
		const challenges = await Promise.all(
			Array.from({ length: 20 }, async () => (await begin(auth, person)).data.challengeToken),
		);
		const [code = ''] = person.recoveryCodes;
		// Each with a device of its own: the throttle would refuse most of them as guesses.
		const uses = await Promise.all(challenges.map((challengeToken) => complete(auth, challengeToken, code)));
		expect(uses.filter((response) => response.status === 200)).toHaveLength(1);
		expect(
			await auth.deps.db
				.selectFrom('recoveryCodes')
				.select('userId')
				.where('userId', '=', person.id)
				.where('usedAt', 'is not', null)
				.execute(),
		).toHaveLength(1);
	});

	test('are replaced after a step-up; the earlier ones are void', async () => {
		const person = await enrolled();
		const tokens = await signInWithCode(auth, person);
		const renewed = await auth.call<{ recoveryCodes: string[] }>(
			'POST',
			'/auth/second-factors/recovery-codes',
			{
				token: tokens.accessToken,
			},
		);
		expect(renewed.data.recoveryCodes).toHaveLength(10);
		const { challengeToken } = (await begin(auth, person)).data;
		expect(errorCode(await complete(auth, challengeToken, person.recoveryCodes[1] ?? ''))).toBe(
			'SECOND_FACTOR_WRONG',
		);
		expect((await complete(auth, challengeToken, renewed.data.recoveryCodes[1] ?? '')).status).toBe(200);
	});
});

describe('the enrolment', () => {
	test('stores the secret encrypted, and lists the app when its first code is confirmed', async () => {
		const person = await auth.member();
		const { accessToken: token } = person;
		const begun = await auth.call<{ secret: string; uri: string }>('POST', '/auth/second-factors/totp', {
			token,
		});
		const { secret, uri } = begun.data;
		expect(uri).toContain(`secret=${secret}`);
		expect(decodeURIComponent(uri)).toContain(person.email);
		const row = () =>
			auth.deps.db
				.selectFrom('totpAuthenticators')
				.selectAll()
				.where('userId', '=', person.id)
				.executeTakeFirstOrThrow();
		expect((await row()).secret).toMatch(/^enc1:/);
		expect((await row()).confirmedAt).toBeNull();
		expect((await auth.call('GET', '/auth/second-factors', { token })).data).toEqual({
			factors: [],
			recoveryCodesLeft: 0,
			isRequired: false,
		});
		const confirm = (code: string) =>
			auth.call('POST', '/auth/second-factors/totp/confirm', { token, body: { code } });
		expect(errorCode(await confirm('000000'))).toBe('SECOND_FACTOR_WRONG');
		// Not required before it is confirmed.
		expect((await auth.signIn(person)).user.id).toBe(person.id);
		const confirmed = await confirm(await codeOf(auth, secret));
		expect(confirmed.data).toMatchObject({ factors: [{ kind: 'TOTP' }], recoveryCodesLeft: 10 });
		// Its code is used by that.
		const { challengeToken } = (await begin(auth, person)).data;
		expect(errorCode(await complete(auth, challengeToken, await codeOf(auth, secret)))).toBe(
			'SECOND_FACTOR_WRONG',
		);
	});

	test('of the first factor ends all other sessions, which the password alone has opened', async () => {
		const person = await auth.register();
		const [own, other] = [await auth.signIn(person), await auth.signIn(person)];
		await enrolTotp(auth, { ...person, ...own });
		const profile = (token: string) => auth.call('GET', '/auth/profile', { token });
		expect((await profile(other.accessToken)).status).toBe(401);
		expect((await profile(own.accessToken)).status).toBe(200);
		const refreshed = await auth.call<Tokens>('POST', '/auth/refresh', {
			body: { refreshToken: own.refreshToken },
		});
		expect(claimsOf(refreshed.data.accessToken).amr).toEqual(['mfa', 'otp', 'pwd']);
		const ofOther = await auth.call('POST', '/auth/refresh', {
			body: { refreshToken: other.refreshToken },
		});
		expect(ofOther.status).toBe(401);
	});

	// The password was checked, and no second factor found, just before the enrolment.
	test('of the first factor opens no session of a sign-in that has proven the password alone', async () => {
		const person = await auth.member();
		const users = auth.deps.db.selectFrom('users').select(userColumns).where('id', '=', person.id);
		const before = await users.executeTakeFirstOrThrow();
		await enrolTotp(auth, person);
		const open = (methods: readonly string[]) =>
			auth.deps.sessions.open(before, { methods, userAgent: undefined });
		expect(await open(['pwd'])).toBeUndefined();
		expect(await open(['pwd', 'otp', 'mfa'])).toBeDefined();
	});

	test('needs a recent password: an access token that was stolen later can’t lock the owner out', async () => {
		const person = await auth.member();
		auth.clock.advance(600_001);
		const { data: refreshed } = await auth.call<Tokens>('POST', '/auth/refresh', {
			body: { refreshToken: person.refreshToken },
		});
		const enrol = (token: string) => auth.call('POST', '/auth/second-factors/totp', { token });
		const passkey = (token: string) => auth.call('POST', '/auth/second-factors/passkeys/options', { token });
		for (const attempt of [enrol, passkey]) {
			const refused = await attempt(refreshed.accessToken);
			expect([refused.status, errorCode(refused)]).toEqual([403, 'STEP_UP_REQUIRED']);
		}
		const confirm = (password: string) =>
			auth.call<Tokens>('POST', '/auth/step-up/password', {
				token: refreshed.accessToken,
				body: { password },
			});
		expect(errorCode(await confirm('not the password'))).toBe('CURRENT_PASSWORD_WRONG');
		const { data } = await confirm(goodPassword);
		expect((await enrol(data.accessToken)).status).toBe(200);
		expect((await passkey(data.accessToken)).status).toBe(200);
	});

	test('of another factor, or the removal of one, needs the second factor, not the password', async () => {
		const person = await enrolled();
		// A session as of an attacker with a stolen refresh token.
		auth.clock.advance(600_001);
		const { data: session } = await auth.call<Tokens>('POST', '/auth/refresh', {
			body: { refreshToken: person.tokens.refreshToken },
		});
		const { accessToken: token } = session;
		const { data: list } = await auth.call<{ factors: { id: string }[] }>('GET', '/auth/second-factors', {
			token,
		});
		const removal = `/auth/second-factors/${list.factors[0]?.id}`;
		const attempts = [
			['POST', '/auth/second-factors/totp'],
			['POST', '/auth/second-factors/passkeys/options'],
			['POST', '/auth/second-factors/recovery-codes'],
			['DELETE', removal],
		] as const;
		for (const [method, path] of attempts) {
			expect([path, errorCode(await auth.call(method, path, { token }))]).toEqual([path, 'STEP_UP_REQUIRED']);
		}
		const body = { password: person.password };
		const password = await auth.call('POST', '/auth/step-up/password', { token, body });
		expect(errorCode(password)).toBe('STEP_UP_REQUIRED');

		const code = { code: await codeOf(auth, person.secret) };
		const stepped = await auth.call<Tokens>('POST', '/auth/step-up', { token, body: code });
		expect(claimsOf(stepped.data.accessToken).amr).toContain('mfa');
		// The former token stays as it was.
		expect(errorCode(await auth.call('DELETE', removal, { token }))).toBe('STEP_UP_REQUIRED');
		const foreign = await enrolled();
		const foreignToken = (await signInWithCode(auth, foreign)).accessToken;
		expect((await auth.call('DELETE', removal, { token: foreignToken })).status).toBe(404);
		const removed = await auth.call('DELETE', removal, { token: stepped.data.accessToken });
		expect([removed.status, removed.data]).toEqual([
			200,
			{ factors: [], recoveryCodesLeft: 0, isRequired: false },
		]);
		expect((await auth.signIn(person)).user.id).toBe(person.id);
	});

	test('that was begun with the password alone can’t be completed after the owner has enrolled a factor', async () => {
		const person = await auth.register();
		const [attacker, owner] = [await auth.signIn(person), await auth.signIn(person)];
		const begun = await auth.call<{ secret: string }>('POST', '/auth/second-factors/totp', {
			token: attacker.accessToken,
		});
		const factor = await enrolTotp(auth, { ...person, ...owner });
		auth.clock.advance(30_000);
		for (const token of [attacker.accessToken, factor.tokens.accessToken]) {
			const body = { code: await codeOf(auth, begun.data.secret) };
			expect((await auth.call('POST', '/auth/second-factors/totp/confirm', { token, body })).status).not.toBe(
				200,
			);
		}
		expect((await signInWithCode(auth, factor)).user.id).toBe(person.id);
	});
});

describe('an administrator', () => {
	test('removes the factors of an account; its sessions end, the log has the reason', async () => {
		const person = await enrolled();
		const tokens = await signInWithCode(auth, person);
		const admin = await auth.administrator();
		const path = `/auth/users/${person.id}/reset-second-factors`;
		const body = { reason: 'phone lost' };
		expect((await auth.call('POST', path, { token: tokens.accessToken, body })).status).toBe(403);
		const reset = await auth.call('POST', path, { token: admin.accessToken, body });
		expect([reset.status, reset.data]).toMatchObject([200, { userId: person.id, removed: 1 }]);
		expect(await sessionsOf(person.id)).toEqual([]);
		expect((await auth.call('GET', '/auth/profile', { token: tokens.accessToken })).status).toBe(401);
		for (const table of ['totpAuthenticators', 'recoveryCodes', 'passkeys', 'signInChallenges'] as const)
			expect(
				await auth.deps.db.selectFrom(table).select('userId').where('userId', '=', person.id).execute(),
			).toEqual([]);
		expect((await auth.signIn(person)).user.id).toBe(person.id);
	});

	test('with a factor steps up for roles, keys and factors; one without is not asked to', async () => {
		const plain = await auth.administrator();
		const admin = await enrolTotp(auth, await auth.administrator());
		const target = await auth.register();
		const calls = (token: string) => [
			auth.call('PATCH', `/auth/users/${target.id}/roles`, { token, body: { roles: ['MEMBER'] } }),
			auth.call('POST', '/auth/keys/rotate', { token }),
			auth.call('POST', `/auth/users/${target.id}/reset-second-factors`, { token, body: { reason: 'x' } }),
		];
		const statuses = async (token: string) =>
			(await Promise.all(calls(token))).map((response) => response.status);
		expect(await statuses(plain.accessToken)).toEqual([200, 200, 200]);
		expect(await statuses(admin.tokens.accessToken)).toEqual([403, 403, 403]);
		const recent = await signInWithCode(auth, admin);
		expect(await statuses(recent.accessToken)).toEqual([200, 200, 200]);
		// Less the fraction of a second that the token doesn't show.
		auth.clock.advance(599_000);
		expect(await statuses(recent.accessToken)).toEqual([200, 200, 200]);
		auth.clock.advance(2_000);
		const refused = await Promise.all(calls(recent.accessToken));
		expect(refused.map(errorCode)).toEqual(Array(3).fill('STEP_UP_REQUIRED'));
		expect(refused[0]?.data).toMatchObject({ maxAgeSeconds: 600 });
		// Reads go on.
		expect((await auth.call('GET', '/auth/users', { token: recent.accessToken })).status).toBe(200);
	});
});

test('a token whose `amr` was changed is refused', async () => {
	const admin = await enrolTotp(auth, await auth.administrator());
	const [header, payload, signature] = admin.tokens.accessToken.split('.');
	const claims = JSON.parse(Buffer.from(payload ?? '', 'base64url').toString());
	const forged = Buffer.from(JSON.stringify({ ...claims, amr: ['pwd', 'otp', 'mfa'] })).toString('base64url');
	const response = await auth.call('POST', '/auth/keys/rotate', {
		token: `${header}.${forged}.${signature}`,
	});
	expect([response.status, errorCode(response)]).toEqual([401, 'INVALID_TOKEN']);
});

test('a known device keeps signing in while others guess codes', async () => {
	const person = await enrolled();
	const { deviceToken } = await signInWithCode(auth, person);
	for (let attempt = 0; attempt < 10; attempt++) {
		const { challengeToken } = (await begin(auth, person)).data;
		await complete(auth, challengeToken, '000000');
		auth.clock.advance(33_000);
	}
	const headers = { ...ownAddress(), 'X-Device-Token': deviceToken };
	const login = { email: person.email, password: person.password };
	const { data } = await auth.call<{ challengeToken: string }>('POST', '/auth/login', {
		body: login,
		headers,
	});
	const body = { challengeToken: data.challengeToken, code: await codeOf(auth, person.secret) };
	const response = await auth.call<Tokens>('POST', '/auth/login/second-factor', { body, headers });
	expect([response.status, response.data.deviceToken]).toEqual([200, deviceToken]);
});
