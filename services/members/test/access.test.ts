import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Club } from '../src/clubs/schemas.ts';
import type { Member } from '../src/members/schemas.ts';
import { membersRoutes } from '../src/routes.ts';
import { useMembers } from './running-members.ts';
import { clubsPath, membersPath as path, person, recordsOf } from './test-records.ts';

const members = useMembers();
const { call } = members;
let club: Club;
let foreign: Club;
/** The caller's own record and one of the same club, one elsewhere, one without a club, one deleted. */
let people: Record<'own' | 'clubMate' | 'stranger' | 'clubless' | 'deleted', Member>;
const records = recordsOf(() => members);

beforeAll(async () => {
	club = await records.createClub('1111');
	foreign = await records.createClub('2222');
	people = {
		own: await records.activeMember({ homeClubId: club.id, notes: 'n' }),
		clubMate: await records.activeMember({ homeClubId: club.id, notes: 'n' }),
		stranger: await records.activeMember({ homeClubId: foreign.id, notes: 'n' }),
		clubless: await records.activeMember({ notes: 'n' }),
		deleted: await records.activeMember({ homeClubId: club.id, notes: 'n' }),
	};
	await call('DELETE', `${path}/${people.deleted.id}`, { token: members.officer });
});

const roles = ['member', 'unlinked', 'official', 'unscoped', 'organiser', 'officer', 'admin'] as const;
type Caller = (typeof roles)[number];

/** All callers but `unlinked` and the office are the member `own`. */
function tokenOf(caller: Caller): string {
	const { sign } = members;
	const memberId = people.own.id;
	const ofClub = { clubIds: [club.id] };
	switch (caller) {
		case 'member':
			return sign({ roles: ['MEMBER'], memberId });
		case 'unlinked':
			return sign({ roles: ['MEMBER'] });
		case 'official':
			return sign({ roles: ['MEMBER', 'CLUB_OFFICIAL'], roleScopes: { CLUB_OFFICIAL: ofClub }, memberId });
		case 'unscoped':
			return sign({ roles: ['MEMBER', 'CLUB_OFFICIAL'], memberId });
		case 'organiser':
			return sign({ roles: ['MEMBER', 'ORGANISER'], roleScopes: { ORGANISER: ofClub }, memberId });
		case 'officer':
			return sign({ roles: ['FEDERATION_OFFICER'] });
		case 'admin':
			return sign({ roles: ['ADMIN'] });
	}
}

const allVisible = { own: 200, clubMate: 200, stranger: 200, clubless: 200, deleted: 200 };
const ownOnly = { own: 200, clubMate: 404, stranger: 404, clubless: 404, deleted: 404 };
const noneVisible = { own: 404, clubMate: 404, stranger: 404, clubless: 404, deleted: 404 };
const readable: Record<Caller, Record<keyof typeof people, number>> = {
	member: ownOnly,
	unlinked: noneVisible,
	official: { own: 200, clubMate: 200, stranger: 404, clubless: 404, deleted: 404 },
	unscoped: ownOnly,
	organiser: ownOnly,
	officer: allVisible,
	admin: allVisible,
};

describe.each(roles)('%s', (caller) => {
	const expected = readable[caller];
	const names = Object.keys(expected) as (keyof typeof people)[];
	const visible = names.filter((name) => expected[name] === 200);
	const isOffice = caller === 'officer' || caller === 'admin';

	test.each(names)('reads %s or gets 404', async (name) => {
		const { status, data, text } = await call<Member>('GET', `${path}/${people[name].id}`, {
			token: tokenOf(caller),
		});
		expect(status).toBe(expected[name]);
		if (status === 404) expect(text).not.toContain(people[name].lastName);
		else
			expect(['notes' in data, 'statusReason' in data]).toEqual([
				isOffice,
				isOffice || caller === 'official',
			]);
	});

	test('changes visible fields and has no access to others', async () => {
		for (const name of names) {
			const sent = await call<Member>('GET', `${path}/${people[name].id}`, { token: tokenOf(caller) });
			const body = sent.status === 200 ? sent.data : person();
			const { status } = await call('PUT', `${path}/${people[name].id}`, { token: tokenOf(caller), body });
			const deleted = name === 'deleted' && isOffice;
			expect([name, status]).toEqual([name, deleted ? 409 : expected[name]]);
		}
	});

	test.each(['', '?activeOnly=false', '/search?q=pr%C3%BCfling', '/search?q=ver'])(
		'finds only visible members: %s',
		async (query) => {
			const { data } = await call<Page<Member>>('GET', `${path}${query}`, { token: tokenOf(caller) });
			const present = visible.filter((name) => name !== 'deleted');
			expect(data.items.map(({ id }) => id).sort()).toEqual(present.map((name) => people[name].id).sort());
			expect(data.pagination.totalElements).toBe(present.length);
			for (const item of data.items)
				expect(['notes' in item, 'statusReason' in item]).toEqual([
					isOffice,
					isOffice || caller === 'official',
				]);
		},
	);

	test('is shown deleted members as the office only', async () => {
		for (const query of [
			'?includeInactive=true',
			'?status=INACTIVE',
			'/search?q=pr%C3%BCfling&includeInactive=true',
		]) {
			const { status } = await call('GET', `${path}${query}`, { token: tokenOf(caller) });
			expect([query, status]).toEqual([query, isOffice ? 200 : 403]);
		}
	});

	test('creates, counts, deletes and moves states as its role allows', async () => {
		const token = tokenOf(caller);
		const statusOf = async (method: string, to: string, body?: object) =>
			(await call(method, to, { token, ...(body === undefined ? {} : { body }) })).status;
		const mayCreate = isOffice || caller === 'official';
		expect(await statusOf('POST', path, person({ homeClubId: club.id }))).toBe(mayCreate ? 201 : 403);
		expect(await statusOf('POST', path, person({ homeClubId: foreign.id }))).toBe(isOffice ? 201 : 403);
		expect(await statusOf('GET', `${path}/stats`)).toBe(mayCreate || caller === 'unscoped' ? 200 : 403);
		const target = await records.activeMember({ homeClubId: foreign.id });
		for (const [step, body] of [
			['suspend', { reason: 'x' }],
			['reinstate'],
			['approve'],
			['restore'],
		] as const) {
			const reached = step === 'approve' || step === 'restore' ? 409 : 200;
			expect([step, await statusOf('POST', `${path}/${target.id}/${step}`, body)]).toEqual([
				step,
				isOffice ? reached : 403,
			]);
		}
		expect(await statusOf('DELETE', `${path}/${target.id}`)).toBe(isOffice ? 200 : 403);
		for (const made of [target]) await members.db.deleteFrom('members').where('id', '=', made.id).execute();
		const known = Object.values(people).map(({ id }) => id);
		await members.db.deleteFrom('members').where('id', 'not in', known).execute();
	});

	test('reads clubs, and writes them as the office only', async () => {
		const token = tokenOf(caller);
		expect((await call('GET', clubsPath, { token })).status).toBe(200);
		expect((await call('GET', `${clubsPath}/${club.id}`, { token })).status).toBe(200);
		const body = { clubNumber: '7777', name: 'Neu' };
		const created = await call<Club>('POST', clubsPath, { token, body });
		expect(created.status).toBe(isOffice ? 201 : 403);
		const id = isOffice ? created.data.id : club.id;
		expect((await call('PUT', `${clubsPath}/${id}`, { token, body })).status).toBe(isOffice ? 200 : 403);
		expect((await call('DELETE', `${clubsPath}/${id}`, { token })).status).toBe(isOffice ? 200 : 403);
	});

	test('cannot call internal routes', async () => {
		for (const kind of ['members', 'clubs']) {
			const { status, data } = await call('GET', `/internal/${kind}/lookup?ids=${randomUUID()}`, {
				token: tokenOf(caller),
			});
			expect([status, data.code]).toEqual([401, 'INVALID_TOKEN']);
		}
	});
});

describe.each(membersRoutes.map(({ method, path: declared }) => [method.toUpperCase(), declared] as const))(
	'%s %s',
	(method, declared) => {
		const to = declared.replace('{id}', randomUUID());
		const body = method === 'POST' || method === 'PUT' ? { body: {} } : {};

		test('needs a token, and one that is valid', async () => {
			const anonymous = await call(method, to, body);
			expect([anonymous.status, anonymous.data.code]).toEqual([401, 'UNAUTHENTICATED']);
			expect(anonymous.headers.get('www-authenticate')).toBe('Bearer');
			if (declared.startsWith('/internal')) return;
			const expired = await call(method, to, { ...body, token: members.signExpired() });
			expect([expired.status, expired.data.code]).toEqual([401, 'TOKEN_EXPIRED']);
			const service = await call(method, to, { ...body, token: members.signService(['members:lookup']) });
			expect([service.status, service.data.code]).toEqual([401, 'INVALID_TOKEN']);
		});
	},
);

test('roles in headers have no effect', async () => {
	const { status } = await call('POST', path, {
		token: tokenOf('member'),
		body: person(),
		headers: { 'X-User-Roles': 'ADMIN', 'X-User-Id': randomUUID() },
	});
	expect(status).toBe(403);
});

test('literal paths win over ids, other methods are 405', async () => {
	const token = tokenOf('officer');
	expect((await call('GET', `${path}/clubs`, { token })).status).toBe(200);
	const post = await call('POST', `${path}/${people.own.id}`, { token, body: {} });
	expect([post.status, post.headers.get('allow')]).toEqual([405, 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS']);
	expect((await call('GET', `${path}/own/horses`, { token })).data.code).toBe('ROUTE_NOT_FOUND');
});
