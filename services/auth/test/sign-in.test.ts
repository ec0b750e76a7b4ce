import { describe, expect, test } from '@jest/globals';
import { goodPassword, ownAddress, type Tokens, useAuth } from './running-auth.ts';

const auth = useAuth({ realHashes: true });
const { call } = auth;

describe('POST /auth/login', () => {
	test('returns tokens for the account, whatever the case of the address', async () => {
		const { email, id } = await auth.register();
		const response = await call<Tokens>('POST', '/auth/login', {
			body: { email: ` ${email.toUpperCase()} `, password: goodPassword },
			headers: ownAddress(),
		});
		expect(response.status).toBe(200);
		expect(response.headers.get('Cache-Control')).toBe('no-store');
		expect(response.data).toMatchObject({
			tokenType: 'Bearer',
			expiresIn: 900,
			refreshExpiresIn: 14 * 86_400,
		});
		expect(response.data.user).toMatchObject({ id, lastLoginAt: auth.clock.now().toISOString(), version: 1 });
		expect(Buffer.from(response.data.refreshToken, 'base64url')).toHaveLength(32);
		const [header, payload] = response.data.accessToken
			.split('.')
			.slice(0, 2)
			.map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
		expect(header).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: expect.any(String) });
		expect(payload).toEqual({
			iss: 'paddock',
			amr: ['pwd'],
			auth_time: expect.any(Number),
			aud: 'paddock',
			sub: id,
			accountVersion: 1,
			roles: ['MEMBER'],
			iat: expect.any(Number),
			exp: payload.iat + 900,
			jti: expect.any(String),
			sid: expect.any(String),
		});
	});

	test('stores no refresh token in plain text', async () => {
		const { refreshToken } = await auth.member();
		const rows = await auth.deps.db.selectFrom('refreshTokens').selectAll().execute();
		expect(rows.length).toBeGreaterThan(0);
		const stored = rows.map((row) => row.tokenHash);
		expect(stored.some((hash) => hash.equals(Buffer.from(refreshToken, 'base64url')))).toBe(false);
		expect(JSON.stringify(rows)).not.toContain(refreshToken);
	});

	test('responds alike to an unknown user, a wrong password and a closed account', async () => {
		const known = await auth.register();
		const closed = await auth.register();
		await auth.deps.db.updateTable('users').set({ status: 'CLOSED' }).where('id', '=', closed.id).execute();
		const responses = await Promise.all(
			[
				{ email: 'nobody@example.org', password: goodPassword },
				{ email: known.email, password: 'another bucket of bales' },
				{ email: closed.email, password: goodPassword },
			].map((body) => call('POST', '/auth/login', { body, headers: ownAddress() })),
		);
		for (const response of responses) {
			expect(response.status).toBe(401);
			expect(response.headers.get('WWW-Authenticate')).toBe('Bearer');
			const { requestId, ...data } = response.data;
			expect(data).toEqual({ code: 'INVALID_CREDENTIALS', status: 401 });
			expect(response.message).toBe(responses[0]?.message);
		}
	});

	test('compares passwords in NFKC', async () => {
		const person = await auth.register({ password: 'zwölf Ballen Heu' });
		await auth.signIn({ email: person.email, password: 'zwo\u0308lf Ballen Heu' });
	});

	test.each([
		['SUSPENDED', 403, 'FORBIDDEN'],
		['LOCKED', 423, 'ACCOUNT_LOCKED'],
	] as const)(
		'discloses that an account is %s only after the right password',
		async (status, httpStatus, code) => {
			const { email, id } = await auth.register();
			await auth.deps.db.updateTable('users').set({ status }).where('id', '=', id).execute();
			const right = await call('POST', '/auth/login', {
				body: { email, password: goodPassword },
				headers: ownAddress(),
			});
			expect([right.status, right.data.code]).toEqual([httpStatus, code]);
			const wrong = await call('POST', '/auth/login', {
				body: { email, password: 'wrong' },
				headers: ownAddress(),
			});
			expect(wrong.status).toBe(401);
		},
	);

	test('refuses a body of another shape', async () => {
		const response = await call('POST', '/auth/login', {
			body: { email: 'x', password: '', remember: true },
		});
		expect(response.data.errors?.map((error) => error.field).sort()).toEqual([
			'email',
			'password',
			'remember',
		]);
	});
});

describe('POST /auth/logout', () => {
	test('ends the session of the token, and only that', async () => {
		const person = await auth.register();
		const [first, second] = [await auth.signIn(person), await auth.signIn(person)];
		const response = await call('POST', '/auth/logout', { token: first.accessToken });
		expect(response.status).toBe(200);
		const refreshed = await call('POST', '/auth/refresh', { body: { refreshToken: first.refreshToken } });
		expect([refreshed.status, refreshed.data.code]).toEqual([401, 'INVALID_TOKEN']);
		expect((await call('GET', '/auth/profile', { token: first.accessToken })).status).toBe(401);
		expect((await call('GET', '/auth/profile', { token: second.accessToken })).status).toBe(200);
	});

	test('may be repeated, and needs a token', async () => {
		const { accessToken } = await auth.member();
		await call('POST', '/auth/logout', { token: accessToken });
		expect((await call('POST', '/auth/logout', { token: accessToken })).status).toBe(200);
		expect((await call('POST', '/auth/logout')).data.code).toBe('UNAUTHENTICATED');
	});
});
