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

describe('PUT /auth/users/{id}/status', () => {
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
