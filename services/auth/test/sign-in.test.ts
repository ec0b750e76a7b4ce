import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openApiDocument } from '@paddock/service';
import { authRoutes } from '../src/routes.ts';
import type { UserDto } from '../src/schemas/user.ts';
import {
	goodPassword,
	newPerson,
	ownAddress,
	type RunningAuth,
	runAuth,
	type Tokens,
} from './running-auth.ts';

let auth: RunningAuth;
let call: RunningAuth['call'];

beforeAll(async () => {
	auth = await runAuth({ realHashes: true });
	({ call } = auth);
});
afterAll(() => auth.close());

const storedUser = (email: string) =>
	auth.deps.db.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();

describe('POST /auth/register', () => {
	test('makes an active member, without a token, and keeps the password only as an argon2id hash', async () => {
		const person = newPerson({ email: '  Anna.HUBER+1@Example.ORG ', phoneNumber: '+43 660 123 45 67' });
		const answer = await call<UserDto>('POST', '/auth/register', { body: person });
		expect(answer.status).toBe(201);
		expect(answer.headers.get('Location')).toBe('/auth/profile');
		expect(answer.headers.get('Cache-Control')).toBe('no-store');
		expect(answer.data).toMatchObject({
			email: 'anna.huber+1@example.org',
			phoneNumber: '+436601234567',
			roles: ['MEMBER'],
			roleScopes: {},
			memberId: null,
			status: 'ACTIVE',
			lastLoginAt: null,
			version: 1,
		});
		expect(answer.text).not.toContain(goodPassword);
		expect(answer.text).not.toContain('argon2');
		expect(answer.text).not.toContain('oken');
		const row = await storedUser('anna.huber+1@example.org');
		expect(row?.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
		expect(row).toMatchObject({ id: answer.data.id, phone_number: '+436601234567', roles: ['MEMBER'] });
	});

	test('names all bad fields at once', async () => {
		const answer = await call('POST', '/auth/register', {
			body: { email: 'nobody', password: 'short', firstName: ' ', phoneNumber: '0660', locale: '??' },
		});
		expect(answer.status).toBe(400);
		expect(answer.data.code).toBe('VALIDATION_ERROR');
		expect(answer.data.errors?.map(({ field, code }) => `${field} ${code}`).sort()).toEqual([
			'email INVALID_FORMAT',
			'firstName INVALID_LENGTH',
			'lastName REQUIRED',
			'locale INVALID_FORMAT',
			'password INVALID_LENGTH',
			'phoneNumber INVALID_FORMAT',
		]);
	});

	test.each([
		['a common password', { password: 'Password1234!' }],
		['the own last name', { password: 'huber rides a mare' }],
		['the own address', { password: 'my-anna.h@example.org', email: 'anna.h@example.org' }],
		['129 characters', { password: 'ab cd'.repeat(26).slice(0, 129) }],
	])('refuses %s as a password', async (_name, changes) => {
		const answer = await call('POST', '/auth/register', { body: newPerson(changes) });
		expect(answer.status).toBe(400);
		expect(answer.data.errors?.map((error) => error.field)).toEqual(['password']);
		expect(answer.text).not.toContain(changes.password);
	});

	test.each([
		['not an address', 'anna@'],
		['the Kelvin sign, which lower-cases to a plain k', '\u212Aarl@example.org'],
		['a letter beyond ASCII', 'änna@example.org'],
		['255 characters', `${'a'.repeat(243)}@example.org`],
		['a line break inside', 'anna@example.org\nbcc: x@example.org'],
	])('refuses %s as an e-mail address', async (_name, email) => {
		const answer = await call('POST', '/auth/register', { body: newPerson({ email }) });
		expect(answer.data.errors?.map((error) => error.field)).toContain('email');
	});

	test.each([
		{ roles: ['ADMIN'] },
		{ role: 'ADMIN' },
		{ roleScopes: {} },
		{ id: '00000000-0000-4000-8000-000000000000' },
		{ status: 'ACTIVE' },
		{ memberId: null },
		{ createdAt: '2020-01-01T00:00:00.000Z' },
		{ isDemo: true },
		{ passwordHash: 'x' },
		{ password_hash: 'x' },
		{ version: 9 },
	])('lets nobody assign %j to himself', async (extra) => {
		const person = newPerson(extra);
		const answer = await call('POST', '/auth/register', { body: person });
		expect(answer.status).toBe(400);
		expect(answer.data.errors?.map(({ field, code }) => [field, code])).toEqual([
			[Object.keys(extra)[0], 'UNKNOWN_FIELD'],
		]);
		expect(await storedUser(person.email)).toBeUndefined();
	});

	test('refuses an address that is registered, whatever its case', async () => {
		const { email } = await auth.register();
		const answer = await call('POST', '/auth/register', { body: newPerson({ email: email.toUpperCase() }) });
		expect(answer.status).toBe(409);
		expect(answer.data.code).toBe('EMAIL_ALREADY_REGISTERED');
	});

	test('of 20 at once with one address one comes through', async () => {
		const person = newPerson();
		const answers = await Promise.all(
			Array.from({ length: 20 }, () => call('POST', '/auth/register', { body: person })),
		);
		const statuses = answers.map((answer) => answer.status);
		expect(statuses.filter((status) => status === 201)).toHaveLength(1);
		expect(statuses.filter((status) => status === 409)).toHaveLength(19);
	});
});

describe('POST /auth/login', () => {
	test('gives tokens for the account, whatever the case of the address', async () => {
		const { email, id } = await auth.register();
		const answer = await call<Tokens>('POST', '/auth/login', {
			body: { email: ` ${email.toUpperCase()} `, password: goodPassword },
			headers: ownAddress(),
		});
		expect(answer.status).toBe(200);
		expect(answer.headers.get('Cache-Control')).toBe('no-store');
		expect(answer.data).toMatchObject({ tokenType: 'Bearer', expiresIn: 900, refreshExpiresIn: 14 * 86_400 });
		expect(answer.data.user).toMatchObject({ id, lastLoginAt: auth.clock.now().toISOString(), version: 1 });
		expect(Buffer.from(answer.data.refreshToken, 'base64url')).toHaveLength(32);
		const [header, payload] = answer.data.accessToken
			.split('.')
			.slice(0, 2)
			.map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));
		expect(header).toEqual({ alg: 'RS256', typ: 'at+jwt', kid: expect.any(String) });
		expect(payload).toEqual({
			iss: 'paddock',
			aud: 'paddock',
			sub: id,
			roles: ['MEMBER'],
			iat: expect.any(Number),
			exp: payload.iat + 900,
			jti: expect.any(String),
			sid: expect.any(String),
		});
	});

	test('keeps no refresh token in the open', async () => {
		const { refreshToken } = await auth.member();
		const rows = await auth.deps.db.selectFrom('refresh_tokens').selectAll().execute();
		expect(rows.length).toBeGreaterThan(0);
		const stored = rows.map((row) => row.token_hash);
		expect(stored.some((hash) => hash.equals(Buffer.from(refreshToken, 'base64url')))).toBe(false);
		expect(JSON.stringify(rows)).not.toContain(refreshToken);
	});

	test('answers the same to an unknown user, a wrong password and a closed account', async () => {
		const known = await auth.register();
		const closed = await auth.register();
		await auth.deps.db.updateTable('users').set({ status: 'CLOSED' }).where('id', '=', closed.id).execute();
		const answers = await Promise.all(
			[
				{ email: 'nobody@example.org', password: goodPassword },
				{ email: known.email, password: 'another bucket of bales' },
				{ email: closed.email, password: goodPassword },
			].map((body) => call('POST', '/auth/login', { body, headers: ownAddress() })),
		);
		for (const answer of answers) {
			expect(answer.status).toBe(401);
			expect(answer.headers.get('WWW-Authenticate')).toBe('Bearer');
			const { requestId, ...data } = answer.data;
			expect(data).toEqual({ code: 'INVALID_CREDENTIALS', status: 401 });
			expect(answer.message).toBe(answers[0]?.message);
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
		'tells that an account is %s only to who knows the password',
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
		const answer = await call('POST', '/auth/login', { body: { email: 'x', password: '', remember: true } });
		expect(answer.data.errors?.map((error) => error.field).sort()).toEqual(['email', 'password', 'remember']);
	});
});

describe('POST /auth/logout', () => {
	test('ends the session of the token, and only that', async () => {
		const person = await auth.register();
		const [first, second] = [await auth.signIn(person), await auth.signIn(person)];
		const answer = await call('POST', '/auth/logout', { token: first.accessToken });
		expect(answer.status).toBe(200);
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

test('the routes make an OpenAPI document whose examples obey their schemas', () => {
	const document = openApiDocument({
		title: 'auth',
		version: '1',
		description: '',
		tags: [],
		routes: authRoutes,
		own: [],
	});
	expect(Object.keys(document.paths ?? {}).sort()).toEqual([
		'/.well-known/jwks.json',
		'/auth/change-password',
		'/auth/keys/rotate',
		'/auth/login',
		'/auth/logout',
		'/auth/profile',
		'/auth/refresh',
		'/auth/register',
		'/auth/users',
		'/auth/users/{id}',
		'/auth/users/{id}/roles',
		'/auth/users/{id}/status',
	]);
	for (const route of authRoutes) {
		for (const schema of [route.body, route.output]) {
			const example = Reflect.get(schema?.meta() ?? {}, 'example');
			if (example !== undefined) expect(() => schema?.parse(example)).not.toThrow();
		}
	}
});
