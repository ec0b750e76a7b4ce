import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { UserDto } from '../src/schemas/user.ts';
import {
	goodPassword,
	ownAddress,
	type Person,
	type RunningAuth,
	runAuth,
	type Tokens,
} from './running-auth.ts';

let auth: RunningAuth;
let call: RunningAuth['call'];
let admin: Person & Tokens;
let token: string;

beforeAll(async () => {
	auth = await runAuth();
	({ call } = auth);
	admin = await auth.administrator();
	token = admin.accessToken;
});
afterAll(() => auth.close());

const unknownId = '00000000-0000-4000-8000-000000000000';
const stored = (id: string) =>
	auth.deps.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
const list = (query: string) => call<Page<UserDto>>('GET', `/auth/users${query}`, { token });
const putRoles = (id: string, body: object, as = token, headers = {}) =>
	call<UserDto & { code?: string }>('PUT', `/auth/users/${id}/roles`, { token: as, body, headers });
const putStatus = (id: string, status: string, as = token, headers = {}) =>
	call<UserDto & { code?: string }>('PUT', `/auth/users/${id}/status`, {
		token: as,
		body: { status },
		headers,
	});

describe('the administration of users', () => {
	const requests = (id: string): [string, string, object?][] => [
		['GET', '/auth/users'],
		['GET', `/auth/users/${id}`],
		['PUT', `/auth/users/${id}/roles`, { roles: ['ADMIN'] }],
		['PUT', `/auth/users/${id}/status`, { status: 'CLOSED' }],
		['POST', '/auth/keys/rotate'],
	];

	test.each(['MEMBER', 'CLUB_OFFICIAL', 'ORGANISER', 'FEDERATION_OFFICER'] as const)(
		'is closed to a %s, who learns nothing about which accounts there are',
		async (role) => {
			const person = await auth.register();
			await auth.deps.db
				.updateTable('users')
				.set({ roles: [role] })
				.where('id', '=', person.id)
				.execute();
			const { accessToken } = await auth.signIn(person);
			const before = await stored(admin.id);
			const answersFor = (id: string) =>
				Promise.all(
					requests(id).map(([method, path, body]) => call(method, path, { token: accessToken, body })),
				);
			const [known, unknown] = [await answersFor(admin.id), await answersFor(unknownId)];
			for (const [index, answer] of known.entries()) {
				expect([answer.status, answer.data.code]).toEqual([403, 'FORBIDDEN']);
				const { requestId: _1, ...data } = answer.data;
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
		expect((await putRoles(dismissed.id, { roles: ['MEMBER'] })).status).toBe(200);
		const answer = await call('GET', '/auth/users', { token: dismissed.accessToken });
		expect(answer.data.code).toBe('FORBIDDEN');
	});
});

describe('GET /auth/users', () => {
	beforeAll(async () => {
		await auth.register({ firstName: 'Jörg', lastName: 'Großmüller', email: 'jg@list.example' });
		await auth.register({ firstName: 'Berta', lastName: 'Zumuller', email: 'bz@list.example' });
		await auth.register({ firstName: 'Carl', lastName: 'Mullerhof', email: 'cm@list.example' });
		await auth.register({ firstName: 'Dora', lastName: '100%ig_er', email: 'di@list.example' });
	});
	const emails = async (query: string) => (await list(query)).data.items.map((user) => user.email);

	test.each(['mueller', 'Müller', 'MULLER'])(
		'finds %s whatever the spelling, beginnings of words first',
		async (q) => {
			expect(await emails(`?q=${encodeURIComponent(q)}`)).toEqual([
				'cm@list.example',
				'jg@list.example',
				'bz@list.example',
			]);
		},
	);

	test('finds by both names in either order, and by address', async () => {
		expect(await emails('?q=joerg+grossm')).toEqual(['jg@list.example']);
		expect(await emails('?q=Grossmuller+J')).toEqual(['jg@list.example']);
		expect(await emails('?q=bz%40list')).toEqual(['bz@list.example']);
	});

	test('takes % and _ for themselves', async () => {
		expect(await emails('?q=0%25')).toEqual(['di@list.example']);
		expect(await emails('?q=g_e')).toEqual(['di@list.example']);
		expect(await emails('?q=%25%25')).toEqual([]);
	});

	test('filters by role and status, sorts and pages', async () => {
		const admins = (await list('?role=ADMIN&size=200')).data.items;
		expect(admins.map((user) => user.id)).toContain(admin.id);
		expect(admins.every((user) => user.roles.includes('ADMIN'))).toBe(true);
		expect(await emails('?q=list.example&sort=-firstName')).toEqual([
			'jg@list.example',
			'di@list.example',
			'cm@list.example',
			'bz@list.example',
		]);
		const page = await list('?q=list.example&sort=email&page=2&size=3');
		expect(page.data.items.map((user) => user.email)).toEqual(['jg@list.example']);
		expect(page.data.pagination).toEqual({
			page: 2,
			size: 3,
			totalElements: 4,
			totalPages: 2,
			hasNext: false,
			hasPrevious: true,
		});
		expect(await emails('?q=list.example&status=CLOSED')).toEqual([]);
	});

	test('puts users who never signed in first by lastLoginAt, and last when descending', async () => {
		const up = (await list('?sort=lastLoginAt&size=200')).data.items;
		const down = (await list('?sort=-lastLoginAt&size=200')).data.items;
		expect(up.at(0)?.lastLoginAt).toBeNull();
		expect(down.at(0)?.lastLoginAt).not.toBeNull();
		expect(down.at(-1)?.lastLoginAt).toBeNull();
	});

	test('never shows a hash', async () => {
		expect((await list('?size=200')).text).not.toMatch(/argon2|hash/i);
	});

	test('names all bad parameters at once', async () => {
		const answer = await call('GET', '/auth/users?q=x&role=KING&status=&sort=password&size=201&page=0&x=1', {
			token,
		});
		expect(answer.data.code).toBe('INVALID_QUERY_PARAMETER');
		expect(answer.data.errors?.map((error) => error.field).sort()).toEqual([
			'page',
			'q',
			'role',
			'size',
			'sort',
			'status',
			'x',
		]);
	});
});

describe('GET /auth/users/{id}', () => {
	test('shows one', async () => {
		const { id, email } = await auth.register();
		const answer = await call<UserDto>('GET', `/auth/users/${id.toUpperCase()}`, { token });
		expect([answer.status, answer.data.email, answer.headers.get('ETag')]).toEqual([200, email, '"1"']);
	});

	test('knows no other', async () => {
		expect((await call('GET', `/auth/users/${unknownId}`, { token })).data.code).toBe('NOT_FOUND');
		expect((await call('GET', '/auth/users/1', { token })).data.code).toBe('INVALID_ID');
	});
});

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
		const answer = await putRoles(person.id, body);
		expect(answer.status).toBe(200);
		expect(answer.data).toMatchObject({
			...body,
			roles: ['MEMBER', 'CLUB_OFFICIAL', 'ORGANISER'],
			version: 2,
		});
		expect(await stored(person.id)).toMatchObject({ member_id: memberId, role_scopes: body.roleScopes });
		const { accessToken } = await auth.signIn(person);
		const claims = JSON.parse(Buffer.from(accessToken.split('.')[1] ?? '', 'base64url').toString());
		expect(claims).toMatchObject({ roleScopes: body.roleScopes, memberId, roles: answer.data.roles });
		expect((await call('GET', '/auth/profile', { token: accessToken })).status).toBe(200);

		const fewer = await putRoles(person.id, { roles: ['MEMBER'] });
		expect(fewer.data).toMatchObject({ roles: ['MEMBER'], roleScopes: {}, memberId });
		expect((await putRoles(person.id, { roles: ['MEMBER'], memberId: null })).data.memberId).toBeNull();
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
		const answer = await call('PUT', `/auth/users/${id}/roles`, { token, body: bad });
		expect(answer.status).toBe(400);
		expect(answer.data.errors?.map((error) => error.field).sort()).toEqual([
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
			'a scope of a role not given',
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
		const answer = await call('PUT', `/auth/users/${id}/roles`, { token, body });
		expect(answer.data.errors?.map((error) => error.field)).toEqual([field]);
	});

	test('honours If-Match, and knows no unknown user', async () => {
		const { id } = await auth.register();
		const fresh = await putRoles(id, { roles: ['MEMBER', 'ORGANISER'] }, token, { 'If-Match': '"1"' });
		expect(fresh.status).toBe(200);
		const stale = await putRoles(id, { roles: ['MEMBER'] }, token, { 'If-Match': '"1"' });
		expect(stale.status).toBe(412);
		expect((await stored(id)).roles).toEqual(['MEMBER', 'ORGANISER']);
		expect((await putRoles(unknownId, { roles: ['MEMBER'] })).status).toBe(404);
	});
});

describe('PUT /auth/users/{id}/status', () => {
	test.each(['LOCKED', 'SUSPENDED', 'CLOSED'])(
		'%s ends the sessions at once; ACTIVE opens the door again',
		async (status) => {
			const person = await auth.member();
			const answer = await putStatus(person.id, status);
			expect([answer.status, answer.data.status, answer.data.version]).toEqual([200, status, 2]);
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
		expect((await putStatus(id, 'LOCKED', token, { 'If-Match': '"9"' })).status).toBe(412);
		expect((await putStatus(unknownId, 'LOCKED')).status).toBe(404);
		expect((await stored(id)).status).toBe('ACTIVE');
	});
});
