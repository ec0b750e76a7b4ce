import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
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

const list = (query: string) => call<Page<UserDto>>('GET', `/auth/users${query}`, { token });

describe('GET /auth/users', () => {
	beforeAll(async () => {
		await auth.register({ firstName: 'Jörg', lastName: 'Großmüller', email: 'jg@list.example' });
		await auth.register({ firstName: 'Berta', lastName: 'Zumuller', email: 'bz@list.example' });
		await auth.register({ firstName: 'Carl', lastName: 'Mullerhof', email: 'cm@list.example' });
		await auth.register({ firstName: 'Dora', lastName: '100%ig_er', email: 'di@list.example' });
	});
	const emails = async (query: string) => (await list(query)).data.items.map((user) => user.email);

	test.each(['muller', 'Müller', 'MULLER'])('finds %s whatever the spelling, beginnings first', async (q) => {
		expect(await emails(`?q=${encodeURIComponent(q)}`)).toEqual([
			'cm@list.example',
			'jg@list.example',
			'bz@list.example',
		]);
	});

	test('matches ue with ü, and with nothing else', async () => {
		expect(await emails('?q=grossmueller')).toEqual(['jg@list.example']);
		expect(await emails('?q=mueller')).toEqual(['jg@list.example']);
	});

	// Both sides were folded to single letters, so that "ael" was not found in Michael and "ass" was found in every "as".
	test('finds a part that begins or ends within ae, ue or ss, and no other', async () => {
		await auth.register({ firstName: 'Michael', lastName: 'Strasser', email: 'ms@fold.example' });
		await auth.register({ firstName: 'Iris', lastName: 'Sø Łukić', email: 'is@fold.example' });
		expect(await emails('?q=hael')).toEqual(['ms@fold.example']);
		expect(await emails('?q=ael+fold.example')).toEqual(['ms@fold.example']);
		expect(await emails('?q=ass+fold.example')).toEqual(['ms@fold.example']);
		expect(await emails('?q=lukic+so')).toEqual(['is@fold.example']);
	});

	// They fold to nothing, and nothing is a part of every text.
	test('finds no account by accents without letters', async () => {
		expect(await emails('?q=%CC%81%CC%82')).toEqual([]);
	});

	test('finds by both names in either order, and by address', async () => {
		expect(await emails('?q=joerg+grossm')).toEqual(['jg@list.example']);
		expect(await emails('?q=Grossmuller+J')).toEqual(['jg@list.example']);
		expect(await emails('?q=bz%40list')).toEqual(['bz@list.example']);
		expect(await emails('?q=Gro%C3%9Fm%C3%BCller,+J%C3%B6rg')).toEqual(['jg@list.example']);
		await auth.register({ firstName: 'Y', lastName: 'O’Dwyer', email: 'yo@pferde-müller.example' });
		for (const q of ['y', 'odwyer', "O'Dwyer, Y", 'yo@pferde-müller.example', 'yo@xn--pferde-mller'])
			expect(await emails(`?q=${encodeURIComponent(q)}`)).toEqual(['yo@xn--pferde-mller-klb.example']);
	});

	// Punctuation separates words: a pattern would find Mullerhof by m%hof and m____rhof.
	test('matches % and _ as punctuation, not as a pattern', async () => {
		expect(await emails('?q=100%25ig')).toEqual(['di@list.example']);
		expect(await emails('?q=ig_er')).toEqual(['di@list.example']);
		expect(await emails('?q=m%25hof')).toEqual([]);
		expect(await emails('?q=m____rhof')).toEqual([]);
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
		expect(page.data.pagination).toMatchObject({
			page: 2,
			size: 3,
			totalElements: 4,
			totalPages: 2,
			hasNext: false,
			hasPrevious: true,
		});
		expect(await emails('?q=list.example&status=CLOSED')).toEqual([]);
	});

	// By code point Ö sorts after Z, and so does "van".
	test('orders names as people do', async () => {
		for (const lastName of ['Zuser', 'van Damm', 'Özer', 'Ober'])
			await auth.register({
				firstName: lastName,
				lastName,
				email: `${lastName.codePointAt(0)}@order.example`,
			});
		const order = async (sort: string) =>
			(await list(`?q=order.example${sort}`)).data.items.map((user) => user.lastName);
		expect(await order('')).toEqual(['Ober', 'Özer', 'van Damm', 'Zuser']);
		expect(await order('&sort=-firstName')).toEqual(['Zuser', 'van Damm', 'Özer', 'Ober']);
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
		const response = await call('GET', '/auth/users?q=&role=KING&status=&sort=password&size=201&page=0&x=1', {
			token,
		});
		expect(response.data.code).toBe('INVALID_QUERY_PARAMETER');
		expect(response.data.errors?.map((error) => error.field).sort()).toEqual([
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
