import { beforeAll, describe, expect, test } from '@jest/globals';
import type { UserDto } from '../src/users/schemas.ts';
import { goodPassword, ownAddress, useAuth } from './running-auth.ts';

const auth = useAuth();
const { call } = auth;
let token: string;

beforeAll(async () => {
	token = (await auth.administrator()).accessToken;
});

const unknownId = '00000000-0000-4000-8000-000000000000';
const stored = (id: string) =>
	auth.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const putStatus = (id: string, status: string, headers = {}) =>
	call<UserDto & { code?: string }>('PUT', `/auth/users/${id}/status`, { token, body: { status }, headers });

describe('the steps of an account’s status', () => {
	const take = (id: string, step: string, body?: object, headers = {}) =>
		call<UserDto & { code?: string; from?: string; allowed?: string[] }>(
			'POST',
			`/auth/users/${id}/${step}`,
			{
				token,
				headers,
				...(body === undefined ? {} : { body }),
			},
		);
	const statusReason = 'Verlorenes Telefon';

	test.each([
		['suspend', 'SUSPENDED'],
		['close', 'CLOSED'],
	])(
		'%s ends the sessions, with the reason in the history; reinstate allows sign-ins',
		async (step, status) => {
			const person = await auth.member();
			const changed = await take(person.id, step, { statusReason }, { 'If-Match': '"1"' });
			expect([changed.status, changed.data.status, changed.data.version]).toEqual([200, status, 2]);
			expect((await call('GET', '/auth/profile', { token: person.accessToken })).status).toBe(401);
			const history = await call<{ items: { reason: string | null }[] }>(
				'GET',
				`/auth/users/${person.id}/history`,
				{ token },
			);
			expect(history.data.items.map(({ reason }) => reason)).toContain(statusReason);
			const again = await take(person.id, step, { statusReason });
			expect([again.status, again.data.code, again.data.from]).toEqual([
				409,
				'ILLEGAL_STATE_TRANSITION',
				status,
			]);
			expect(again.data.allowed).toContain('ACTIVE');
			expect((await take(person.id, 'reinstate')).data.status).toBe('ACTIVE');
			await auth.signIn(person);
		},
	);

	test('are for administrators, need a reason and the present version, and keep the last administrator', async () => {
		const person = await auth.member();
		expect((await take(person.id, 'suspend', {})).data.code).toBe('VALIDATION_ERROR');
		expect((await take(person.id, 'suspend', { statusReason }, { 'If-Match': '"9"' })).status).toBe(412);
		expect((await take(person.id, 'reinstate')).data.code).toBe('ILLEGAL_STATE_TRANSITION');
		expect((await take(unknownId, 'close', { statusReason })).status).toBe(404);
		const own = { token: person.accessToken, body: { statusReason } };
		expect((await call('POST', `/auth/users/${person.id}/suspend`, own)).status).toBe(403);
		const { id } = (await call<UserDto>('GET', '/auth/profile', { token })).data;
		expect((await take(id, 'close', { statusReason })).data.code).toBe('LAST_ADMINISTRATOR');
		expect((await stored(person.id)).status).toBe('ACTIVE');
	});
});

describe('PUT /auth/users/{id}/status', () => {
	test('is deprecated', async () => {
		const { id } = await auth.register();
		expect((await putStatus(id, 'ACTIVE')).headers.get('sunset')).toBe('Wed, 01 Dec 2027 00:00:00 GMT');
	});

	test.each(['LOCKED', 'SUSPENDED', 'CLOSED'])(
		'%s ends the sessions at once; ACTIVE opens the door again',
		async (status) => {
			const person = await auth.member();
			const response = await putStatus(person.id, status);
			expect([response.status, response.data.status, response.data.version]).toEqual([200, status, 2]);
			expect((await call('GET', '/auth/profile', { token: person.accessToken })).status).toBe(401);
			const body = { refreshToken: person.refreshToken };
			expect((await call('POST', '/auth/refresh', { body })).status).toBe(401);
			const login = { body: { email: person.email, password: goodPassword }, headers: ownAddress() };
			expect((await call('POST', '/auth/login', login)).status).not.toBe(200);
			expect((await putStatus(person.id, 'ACTIVE')).status).toBe(200);
			expect((await call('POST', '/auth/refresh', { body })).status).toBe(401);
			await auth.signIn(person);
		},
	);

	test('refuses another status, a stale version and an unknown user', async () => {
		const { id } = await auth.register();
		expect((await putStatus(id, 'ASLEEP')).data.code).toBe('VALIDATION_ERROR');
		expect((await putStatus(id, 'LOCKED', { 'If-Match': '"9"' })).status).toBe(412);
		expect((await putStatus(unknownId, 'LOCKED')).status).toBe(404);
		expect((await stored(id)).status).toBe('ACTIVE');
	});
});
