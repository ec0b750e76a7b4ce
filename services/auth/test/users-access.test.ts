import { beforeAll, describe, expect, test } from '@jest/globals';
import type { UserDto } from '../src/users/schemas.ts';
import { type Person, type Tokens, useAuth } from './running-auth.ts';

const auth = useAuth();
const { call } = auth;
let admin: Person & Tokens;
let token: string;

beforeAll(async () => {
	admin = await auth.administrator();
	token = admin.accessToken;
});

const unknownId = '00000000-0000-4000-8000-000000000000';
const stored = (id: string) =>
	auth.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();

describe('the administration of users', () => {
	const requests = (id: string): [string, string, object?][] => [
		['GET', '/auth/users'],
		['GET', `/auth/users/${id}`],
		['PUT', `/auth/users/${id}/roles`, { roles: ['ADMIN'] }],
		['PUT', `/auth/users/${id}/status`, { status: 'CLOSED' }],
		['POST', `/auth/users/${id}/release`],
		['POST', '/auth/keys/rotate'],
	];

	test.each(['MEMBER', 'CLUB_OFFICIAL', 'ORGANISER'] as const)(
		'is forbidden to a %s, without disclosing which accounts exist',
		async (role) => {
			const person = await auth.register();
			await auth.deps.db
				.updateTable('users')
				.set({ roles: [role] })
				.where('id', '=', person.id)
				.execute();
			const { accessToken } = await auth.signIn(person);
			const before = await stored(admin.id);
			const responsesFor = (id: string) =>
				Promise.all(
					requests(id).map(([method, path, body]) => call(method, path, { token: accessToken, body })),
				);
			const [known, unknown] = [await responsesFor(admin.id), await responsesFor(unknownId)];
			for (const [index, response] of known.entries()) {
				expect([response.status, response.data.code]).toEqual([403, 'FORBIDDEN']);
				const { requestId: _1, ...data } = response.data;
				const { requestId: _2, ...other } = unknown[index]?.data ?? { code: '' };
				expect(data).toEqual(other);
			}
			expect(await stored(admin.id)).toEqual(before);
		},
	);

	test('is closed without a token', async () => {
		for (const [method, path, body] of requests(admin.id))
			expect((await call(method, path, { body })).status).toBe(401);
	});

	test('is closed to a token whose administrator was dismissed after it was issued', async () => {
		const dismissed = await auth.administrator();
		expect(
			(await call('PUT', `/auth/users/${dismissed.id}/roles`, { token, body: { roles: ['MEMBER'] } })).status,
		).toBe(200);
		const response = await call('GET', '/auth/users', { token: dismissed.accessToken });
		expect(response.data.code).toBe('FORBIDDEN');
	});
});

describe('GET /auth/users/{id}', () => {
	test('shows one', async () => {
		const { id, email } = await auth.register();
		const response = await call<UserDto>('GET', `/auth/users/${id.toUpperCase()}`, { token });
		expect([response.status, response.data.email]).toEqual([200, email]);
		expect(response.headers.get('ETag')).toMatch(/^"1\./);
	});

	// Its ETag was the version alone, which a sign-in leaves as it is.
	test('shows a new sign-in also to requests with the earlier ETag', async () => {
		const person = await auth.register();
		const before = await call<UserDto>('GET', `/auth/users/${person.id}`, { token });
		const send = () =>
			call<UserDto>('GET', `/auth/users/${person.id}`, {
				token,
				headers: { 'If-None-Match': before.headers.get('ETag') ?? '' },
			});
		expect((await send()).status).toBe(304);
		await auth.signIn(person);
		const after = await send();
		expect([after.status, after.data.lastLoginAt]).toEqual([200, auth.clock.now().toISOString()]);
	});

	test('404 for an unknown account', async () => {
		expect((await call('GET', `/auth/users/${unknownId}`, { token })).data.code).toBe('NOT_FOUND');
		expect((await call('GET', '/auth/users/1', { token })).data.code).toBe('INVALID_ID');
	});
});
