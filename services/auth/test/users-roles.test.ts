import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { UserDto } from '../src/users/schemas.ts';
import { newPerson, useAuth } from './running-auth.ts';

const auth = useAuth();
const { call } = auth;
let token: string;

beforeAll(async () => {
	token = (await auth.administrator()).accessToken;
});

const unknownId = '00000000-0000-4000-8000-000000000000';
const stored = (id: string) =>
	auth.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const putRoles = (id: string, body: object, headers = {}) =>
	call<UserDto & { code?: string }>('PUT', `/auth/users/${id}/roles`, { token, body, headers });

describe('PUT /auth/users/{id}/roles', () => {
	const clubId = randomUUID();

	test('replaces roles, scopes and the member, and the next token carries them', async () => {
		const person = await auth.register();
		const memberId = randomUUID();
		const body = {
			roles: ['ORGANISER', 'CLUB_OFFICIAL', 'MEMBER'],
			roleScopes: { CLUB_OFFICIAL: { clubIds: [clubId] } },
			memberId,
		};
		const response = await putRoles(person.id, body);
		expect(response.status).toBe(200);
		expect(response.data).toMatchObject({
			...body,
			roles: ['MEMBER', 'CLUB_OFFICIAL', 'ORGANISER'],
			version: 2,
		});
		expect(await stored(person.id)).toMatchObject({ memberId, roleScopes: body.roleScopes });
		const { accessToken } = await auth.signIn(person);
		const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
		expect(claims).toMatchObject({ roleScopes: body.roleScopes, memberId, roles: response.data.roles });
		expect((await call('GET', '/auth/profile', { token: accessToken })).status).toBe(200);

		const fewer = await putRoles(person.id, { roles: ['MEMBER'] });
		expect(fewer.data).toMatchObject({ roles: ['MEMBER'], roleScopes: {}, memberId });
		expect((await putRoles(person.id, { roles: ['MEMBER'], memberId: null })).data.memberId).toBeNull();
	});

	// The owner of the address could verify it later by the link of a mail, with a password that another person has chosen.
	test('gives no further role to an account whose address is not verified, unless it was invited', async () => {
		const { db } = auth.deps;
		const { id } = await auth.register();
		const unverified = { emailVerifiedAt: null, roles: ['MEMBER' as const, 'ORGANISER' as const] };
		await db.updateTable('users').set(unverified).where('id', '=', id).execute();
		const refused = await putRoles(id, { roles: ['MEMBER', 'CLUB_OFFICIAL'] });
		expect([refused.status, refused.data.code]).toEqual([409, 'CONFLICT']);
		const linked = await putRoles(id, { roles: ['MEMBER', 'ORGANISER'], memberId: randomUUID() });
		expect([linked.status, linked.data.code]).toEqual([409, 'CONFLICT']);
		expect((await putRoles(id, { roles: ['MEMBER'] })).status).toBe(200);
		const { email, firstName, lastName } = newPerson();
		const invited = await call<UserDto>('POST', '/auth/users', {
			token,
			body: { email, firstName, lastName },
		});
		const changed = await putRoles(invited.data.id, { roles: ['MEMBER', 'ORGANISER'] });
		expect([changed.status, changed.data.roles]).toEqual([200, ['MEMBER', 'ORGANISER']]);
	});

	test('names all bad fields at once, and changes nothing then', async () => {
		const { id } = await auth.register();
		const bad = {
			roles: ['MEMBER', 'KING'],
			roleScopes: { ADMIN: {} },
			memberId: 'x',
			status: 'CLOSED',
			foo: 1,
		};
		const response = await call('PUT', `/auth/users/${id}/roles`, { token, body: bad });
		expect(response.status).toBe(400);
		expect(response.data.errors?.map((error) => error.field).sort()).toEqual([
			'foo',
			'memberId',
			'roleScopes.ADMIN',
			'roles[1]',
		]);
		const status = await call('PUT', `/auth/users/${id}/roles`, {
			token,
			body: { roles: ['MEMBER'], status: 'CLOSED' },
		});
		expect(status.data.errors).toMatchObject([{ field: 'status', code: 'UNKNOWN_FIELD' }]);
		expect(await stored(id)).toMatchObject({ version: 1, status: 'ACTIVE' });
	});

	test.each([
		['no role', { roles: [] }, 'roles'],
		['a role twice', { roles: ['MEMBER', 'MEMBER'] }, 'roles'],
		[
			'a scope of a role that is not assigned',
			{ roles: ['MEMBER'], roleScopes: { ORGANISER: { clubIds: [clubId] } } },
			'roleScopes.ORGANISER',
		],
		[
			'a scope over nothing',
			{ roles: ['ORGANISER'], roleScopes: { ORGANISER: { clubIds: [] } } },
			'roleScopes.ORGANISER.clubIds',
		],
	])('refuses %s', async (_name, body, field) => {
		const { id } = await auth.register();
		const response = await call('PUT', `/auth/users/${id}/roles`, { token, body });
		expect(response.data.errors?.map((error) => error.field)).toEqual([field]);
	});

	test('honours If-Match; 404 for an unknown user', async () => {
		const { id } = await auth.register();
		const fresh = await putRoles(id, { roles: ['MEMBER', 'ORGANISER'] }, { 'If-Match': '"1"' });
		expect(fresh.status).toBe(200);
		const stale = await putRoles(id, { roles: ['MEMBER'] }, { 'If-Match': '"1"' });
		expect(stale.status).toBe(412);
		expect((await stored(id)).roles).toEqual(['MEMBER', 'ORGANISER']);
		expect((await putRoles(unknownId, { roles: ['MEMBER'] })).status).toBe(404);
	});
});
