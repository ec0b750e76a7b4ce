import { describe, expect, test } from '@jest/globals';
import { createTokenSigner } from '@paddock/identity';
import type { UserDto } from '../src/users/schemas.ts';
import { useAuth } from './running-auth.ts';

const auth = useAuth();
const { call } = auth;

const stored = (id: string) =>
	auth.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('GET /auth/profile', () => {
	test('shows the own account, whose ETag begins with the version', async () => {
		const { accessToken, email, id } = await auth.member();
		const response = await call<UserDto>('GET', '/auth/profile', { token: accessToken });
		expect(response.status).toBe(200);
		expect(response.data).toMatchObject({ id, email, firstName: 'Anna', lastName: 'Huber' });
		const tag = response.headers.get('ETag') ?? '';
		expect(tag).toMatch(/^"1\./);
		const again = await call('GET', '/auth/profile', {
			token: accessToken,
			headers: { 'If-None-Match': tag },
		});
		expect(again.status).toBe(304);
		const change = { firstName: 'Anne', lastName: 'Huber' };
		const put = () =>
			call('PUT', '/auth/profile', { token: accessToken, body: change, headers: { 'If-Match': tag } });
		expect((await put()).status).toBe(200);
		expect((await put()).status).toBe(412);
	});

	// The ETag was the version alone, and two new accounts have the same.
	test('never returns 304 for the ETag of another account in the same browser', async () => {
		const [one, other] = [await auth.member(), await auth.member()];
		const kept = await call<UserDto>('GET', '/auth/profile', { token: one.accessToken });
		const response = await call<UserDto>('GET', '/auth/profile', {
			token: other.accessToken,
			headers: { 'If-None-Match': kept.headers.get('ETag') ?? '' },
		});
		expect([response.status, response.data.email]).toEqual([200, other.email]);
	});

	test('needs a token of ours', async () => {
		expect((await call('GET', '/auth/profile')).data.code).toBe('UNAUTHENTICATED');
		expect((await call('GET', '/auth/profile', { token: 'abc' })).data.code).toBe('INVALID_TOKEN');
		const { refreshToken } = await auth.member();
		expect((await call('GET', '/auth/profile', { token: refreshToken })).data.code).toBe('INVALID_TOKEN');
	});

	// The session was looked up by any text of the claim: the database refused it, which was reported as a bug.
	test.each(['not-a-uuid', "' or 1=1 --", '\u0000', '123e4567'])(
		'a token of the own key with the session %j is invalid on every route',
		async (sessionId) => {
			const { id } = await auth.member();
			const signer = createTokenSigner({ issuer: 'paddock', audience: 'paddock', now: auth.clock.now });
			const key = await auth.deps.signingKeys.signing();
			const { token } = signer.sign({ userId: id, roles: ['MEMBER', 'ADMIN'], sessionId }, key);
			for (const [method, path] of [
				['GET', '/auth/profile'],
				['POST', '/auth/logout'],
				['GET', '/auth/users'],
			] as const) {
				const { status, data } = await call(method, path, { token });
				expect([path, status, data.code]).toEqual([path, 401, 'INVALID_TOKEN']);
			}
		},
	);

	test('says so when the token has expired', async () => {
		const { accessToken } = await auth.member();
		auth.clock.advance(15 * 60_000 + 31_000);
		expect((await call('GET', '/auth/profile', { token: accessToken })).data.code).toBe('TOKEN_EXPIRED');
	});
});

describe('PUT /auth/profile', () => {
	const change = { firstName: 'Änne', lastName: 'Müller', phoneNumber: '+43 1 234 567 8', locale: 'en-gb' };

	test('replaces names, phone and language', async () => {
		const { accessToken, id } = await auth.member();
		auth.clock.advance(1_000);
		const response = await call<UserDto>('PUT', '/auth/profile', { token: accessToken, body: change });
		expect(response.status).toBe(200);
		expect(response.headers.get('ETag')).toMatch(/^"2\./);
		expect(response.data).toMatchObject({
			firstName: 'Änne',
			lastName: 'Müller',
			phoneNumber: '+4312345678',
			locale: 'en-GB',
			version: 2,
			updatedAt: auth.clock.now().toISOString(),
		});
		expect(await stored(id)).toMatchObject({ firstName: 'Änne', phoneNumber: '+4312345678', version: 2 });
		const without = await call<UserDto>('PUT', '/auth/profile', {
			token: accessToken,
			body: { firstName: 'Änne', lastName: 'Müller' },
		});
		expect(without.data).toMatchObject({ phoneNumber: '+4312345678', locale: 'en-GB' });
		const cleared = await call<UserDto>('PATCH', '/auth/profile', {
			token: accessToken,
			body: { phoneNumber: null, locale: null },
		});
		expect(cleared.data).toMatchObject({ lastName: 'Müller', phoneNumber: null, locale: 'de-AT' });
	});

	test('accepts the record as it was read, and does not overwrite a concurrent change', async () => {
		const { accessToken } = await auth.member();
		const { data } = await call<UserDto>('GET', '/auth/profile', { token: accessToken });
		const same = await call('PUT', '/auth/profile', {
			token: accessToken,
			body: data,
			headers: { 'If-Match': '"1"' },
		});
		expect(same.status).toBe(200);
		const stale = await call('PUT', '/auth/profile', {
			token: accessToken,
			body: change,
			headers: { 'If-Match': '"1"' },
		});
		expect([stale.status, stale.data.code, Reflect.get(stale.data, 'currentVersion')]).toEqual([
			412,
			'PRECONDITION_FAILED',
			2,
		]);
	});

	test.each([
		{ roles: ['MEMBER', 'ADMIN'] },
		{ roleScopes: { CLUB_OFFICIAL: { clubIds: [] } } },
		{ memberId: '00000000-0000-4000-8000-000000000000' },
		{ id: '00000000-0000-4000-8000-000000000000' },
		{ email: 'other@example.org' },
		{ status: 'CLOSED' },
		{ version: 7 },
		{ createdAt: '2020-01-01T00:00:00.000Z' },
		{ lastLoginAt: null },
		{ passwordChangedAt: '2020-01-01T00:00:00.000Z' },
		{ password: 'three bales and a bucket' },
		{ isDemo: true },
		{ role: 'ADMIN' },
	])('refuses to assign %j', async (extra) => {
		const { accessToken, id } = await auth.member();
		const before = await stored(id);
		const response = await call('PUT', '/auth/profile', {
			token: accessToken,
			body: { ...change, ...extra },
		});
		expect(response.status).toBe(400);
		expect(response.data.errors?.map(({ field, code }) => [field, code])).toEqual([
			[Object.keys(extra)[0], 'UNKNOWN_FIELD'],
		]);
		expect(await stored(id)).toEqual(before);
	});

	test('names all bad fields at once', async () => {
		const { accessToken } = await auth.member();
		const response = await call('PUT', '/auth/profile', {
			token: accessToken,
			body: { firstName: 'A\u0007', lastName: '', phoneNumber: 'ring me', locale: 'de_AT!' },
		});
		expect(response.data.errors?.map((error) => error.field).sort()).toEqual([
			'firstName',
			'lastName',
			'locale',
			'phoneNumber',
		]);
	});

	test('needs a token', async () => {
		expect((await call('PUT', '/auth/profile', { body: change })).status).toBe(401);
	});
});
