import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Club } from '../src/schemas/club.ts';
import type { Member } from '../src/schemas/member.ts';
import type { MemberStats } from '../src/schemas/stats.ts';
import { type RunningMembers, runMembers } from './running-members.ts';
import { membersPath as path, recordsOf } from './test-records.ts';

let members: RunningMembers;
let call: RunningMembers['call'];
let officer: string;
let club: Club;
let other: Club;
const records = recordsOf(() => members);

const guardian = { name: 'Maria', relationship: 'mother' };

beforeAll(async () => {
	members = await runMembers();
	({ call, officer } = members);
	[club, other] = [await records.createClub('1111'), await records.createClub('2222')];
	const make = records.activeMember;
	// The fixture that the statistics below are counted from by hand.
	await make({
		firstName: 'Anna',
		lastName: 'Müller',
		homeClubId: club.id,
		gender: 'FEMALE',
		feePaidForYear: 2026,
		address: { city: 'Furt', stateCode: 'AT-3' },
		email: 'anna@mueller.example.org',
		joinDate: '2026-01-02',
	});
	await make({
		firstName: 'Bernd',
		lastName: 'Mueller',
		homeClubId: club.id,
		gender: 'MALE',
		feePaidForYear: 2025,
		address: { city: 'Graz', stateCode: 'AT-6' },
	});
	await make({
		firstName: 'Çelik',
		lastName: 'Muller',
		homeClubId: other.id,
		gender: 'DIVERSE',
		feePaidForYear: 2027,
		nationality: 'DE',
		joinDate: '2025-12-31',
	});
	await make({
		firstName: 'Dora',
		lastName: 'Öller',
		homeClubId: other.id,
		membershipType: 'HONORARY',
		federationNumber: '004711',
		feiId: '10047110',
		joinDate: '2026-05-01',
	});
	await make({
		firstName: 'Emil',
		lastName: 'Oller',
		homeClubId: club.id,
		membershipType: 'YOUTH',
		dateOfBirth: '2008-05-02',
		guardian,
		joinDate: '2020-01-01',
	});
	await make({
		firstName: 'Franz',
		lastName: 'Mühlmüller',
		dateOfBirth: '2008-05-01',
		joinDate: '2020-01-01',
	});
	await records.step(
		await make({
			firstName: 'Gerda',
			lastName: 'Straßer',
			homeClubId: other.id,
			feePaidForYear: 2026,
			joinDate: '2020-01-01',
			address: { city: 'Furt', stateCode: 'AT-3' },
		}),
		'suspend',
		{ reason: 'x' },
	);
	await records.createMember({
		firstName: 'Hans',
		lastName: 'Van de Velde',
		homeClubId: club.id,
		joinDate: '2020-01-01',
	});
	const gone = await make({
		firstName: 'Ida',
		lastName: 'Müller',
		homeClubId: club.id,
		gender: 'FEMALE',
		feePaidForYear: 2026,
		joinDate: '2026-01-01',
		dateOfBirth: '2015-01-01',
		guardian,
	});
	await call('DELETE', `${path}/${gone.id}`, { token: officer });
});
afterAll(() => members.close());

async function page(query: string, token = officer): Promise<Page<Member>> {
	const { status, data } = await call<Page<Member>>('GET', `${path}${query}`, { token });
	expect(status).toBe(200);
	return data;
}

async function firstNames(query: string, token = officer): Promise<string> {
	return (await page(query, token)).items.map(({ firstName }) => firstName).join(' ');
}

describe('GET /members', () => {
	// By last name, then first name: Mueller, Mühlmüller, Müller, Muller, Öller, Oller, Straßer, Van de Velde.
	test.each([
		['', 'Bernd Franz Anna Çelik Dora Emil'],
		['?activeOnly=false', 'Bernd Franz Anna Çelik Dora Emil Gerda Hans'],
		['?status=SUSPENDED', 'Gerda'],
		['?status=PENDING', 'Hans'],
		['?status=PENDING&activeOnly=true', ''],
		['?status=INACTIVE', 'Ida'],
		['?includeInactive=true', 'Bernd Franz Anna Çelik Ida Dora Emil Gerda Hans'],
		['?includeInactive=false&status=INACTIVE', ''],
		['?membershipType=HONORARY', 'Dora'],
		['?stateCode=AT-3', 'Anna'],
		['?nationality=DE', 'Çelik'],
		['?feePaidForYear=2025', 'Bernd'],
		['?sort=-lastName', 'Emil Dora Çelik Anna Franz Bernd'],
		['?sort=-firstName', 'Franz Emil Dora Çelik Bernd Anna'],
		['?sort=dateOfBirth,firstName', 'Anna Bernd Çelik Dora Franz Emil'],
		['?sort=-joinDate,lastName', 'Bernd Dora Anna Çelik Franz Emil'],
		['?sort=lastName&size=2&page=2', 'Anna Çelik'],
		['?limit=3&offset=4', 'Dora Emil'],
	])('%s', async (query, expected) => {
		expect(await firstNames(query)).toBe(expected);
	});

	test('of one club, and changed since', async () => {
		expect((await firstNames(`?clubId=${club.id}`)).split(' ').sort()).toEqual(['Anna', 'Bernd', 'Emil']);
		members.clock.advance(1_000);
		const since = members.clock.now().toISOString();
		const changed = (at: string) => firstNames(`?updatedSince=${encodeURIComponent(at)}&activeOnly=false`);
		expect(await changed(since)).toBe('');
		const [hans] = (await page('?status=PENDING')).items;
		await call('PUT', `${path}/${hans?.id}`, { token: officer, body: hans });
		expect(await changed(since)).toBe('Hans');
		expect(await changed(since.replace('Z', '+00:00'))).toBe('Hans');
		expect(await changed(new Date(members.clock.now().getTime() + 1).toISOString())).toBe('');
	});

	test('far behind the last page is an empty page, not an error', async () => {
		for (const query of [
			'?page=1000000000&size=200',
			'?page=1000000000',
			'/search?q=mueller&page=1000000000&size=200',
		]) {
			const { items, pagination } = await page(query);
			expect([items, pagination.hasNext, pagination.totalElements > 0]).toEqual([[], false, true]);
		}
	});

	test.each([
		['?page=0', 'page'],
		['?page=1e3', 'page'],
		['?size=201', 'size'],
		['?page=1&limit=3', 'limit'],
		['?sort=shoeSize', 'sort'],
		['?sort=lastName,-lastName', 'sort'],
		['?status=HAPPY', 'status'],
		['?clubId=1', 'clubId'],
		['?feePaidForYear=26', 'feePaidForYear'],
		['?updatedSince=yesterday', 'updatedSince'],
		['?updatedSince=0000-01-01T00:00:00Z', 'updatedSince'],
		['?activeOnly=maybe', 'activeOnly'],
		['?lastName=x', 'lastName'],
		['/search', 'q'],
		['/search?q=x', 'q'],
		[`/search?q=${'x'.repeat(101)}`, 'q'],
		['/search?q=ab%00', 'q'],
	])('%s is refused and named', async (query, field) => {
		const { status, data } = await call('GET', `${path}${query}`, { token: officer });
		expect([status, data.code, data.errors?.[0]?.field]).toEqual([400, 'INVALID_QUERY_PARAMETER', field]);
	});

	test('is not for caches', async () => {
		const { headers } = await call('GET', path, { token: officer });
		expect(headers.get('cache-control')).toBe('private, no-cache');
	});
});

describe('GET /members/search', () => {
	test.each([
		// An umlaut typed any way finds an umlaut written any way that has something in common with it.
		['müller', ['Anna', 'Bernd', 'Çelik', 'Franz']],
		['MUELLER', ['Anna', 'Bernd', 'Franz']],
		['muller', ['Anna', 'Çelik', 'Franz']],
		['strasser', ['Gerda']],
		['straß', ['Gerda']],
		['celik', ['Çelik']],
		['mueller anna', ['Anna']],
		['anna   muell', ['Anna']],
		['uller na', []],
		['anna bernd', []],
		['anna@mueller', ['Anna']],
		['ANNA@mueller.example.org', ['Anna']],
		['van de velde', ['Hans']],
		['velde de', ['Hans']],
		['mü', ['Anna', 'Bernd', 'Çelik', 'Franz']],
		['öl', ['Dora', 'Emil']],
		['ll', []],
		['%%%', []],
		// A mark without a letter folds to nothing, and nothing is in everybody's name.
		['\u0301\u0302', []],
		['anna \u0301', ['Anna']],
		['a_na', []],
		['\\\\', []],
		['004711', ['Dora']],
		['10047110', ['Dora']],
		['4711', ['Dora']],
	])('%s', async (q, expected) => {
		const names = await firstNames(`/search?q=${encodeURIComponent(q)}`);
		expect(names.split(' ').filter(Boolean).sort()).toEqual([...expected].sort());
	});

	test('puts whole numbers first, then beginnings, then the rest, each by name', async () => {
		const anna = (await page('/search?q=anna%20mu')).items[0];
		const number = anna?.membershipNumber ?? '';
		await records.createMember({ firstName: 'Anton', lastName: 'Aal', email: `x${number}@example.org` });
		await records.createMember({ firstName: 'Berta', lastName: 'Aal', email: `${number}@example.org` });
		expect(await firstNames(`/search?q=${number}`)).toBe('Anna Berta Anton');
		expect(await firstNames('/search?q=m%C3%BCller')).toBe('Bernd Anna Çelik Franz');
		const exact = await firstNames('/search?q=anna@mueller.example.org');
		expect(exact).toBe('Anna');
	});

	test('pages without losing or repeating anybody', async () => {
		const whole = (await page('/search?q=m%C3%BCller')).items.map(({ id }) => id);
		const parts = [1, 2, 3, 4].map((number) => page(`/search?q=m%C3%BCller&size=1&page=${number}`));
		const pages = await Promise.all(parts);
		expect(pages.flatMap(({ items }) => items.map(({ id }) => id))).toEqual(whole);
		expect(pages[0]?.pagination).toMatchObject({ totalElements: 4, totalPages: 4, hasNext: true });
	});

	test('filters', async () => {
		expect(await firstNames('/search?q=gerda&status=ACTIVE')).toBe('');
		expect(await firstNames('/search?q=gerda&status=SUSPENDED')).toBe('Gerda');
		expect(await firstNames('/search?q=ller&membershipType=YOUTH')).toBe('Emil');
		expect((await firstNames(`/search?q=ller&clubId=${other.id}`)).split(' ').sort()).toEqual([
			'Dora',
			'Çelik',
		]);
	});

	test('finds a changed name under the new one only', async () => {
		const member = await records.createMember({ firstName: 'Alt', lastName: 'Vorher' });
		const body = { firstName: 'Neu', lastName: 'Nachher', dateOfBirth: member.dateOfBirth };
		await call('PUT', `${path}/${member.id}`, { token: officer, body });
		expect([await firstNames('/search?q=vorher'), await firstNames('/search?q=nachher')]).toEqual([
			'',
			'Neu',
		]);
	});
});

describe('GET /members/{id}', () => {
	test('shows one, with a version that a client may keep', async () => {
		const [one] = (await page('')).items;
		const { data, headers } = await call<Member>('GET', `${path}/${one?.id}`, { token: officer });
		const tag = headers.get('etag') ?? '';
		expect([data, tag]).toEqual([one, expect.stringMatching(/^"2\.[\w-]+"$/)]);
		const kept = await call('GET', `${path}/${one?.id}`, {
			token: officer,
			headers: { 'If-None-Match': tag },
		});
		expect(kept.status).toBe(304);
		expect((await call('GET', `${path}/${randomUUID()}`, { token: officer })).status).toBe(404);
		expect((await call('GET', `${path}/17`, { token: officer })).data.code).toBe('INVALID_ID');
	});
});

describe('GET /members/stats', () => {
	test('counts what was counted by hand', async () => {
		const { data } = await call<MemberStats>('GET', `${path}/stats`, { token: members.officialOf(club.id) });
		expect(data).toEqual({
			total: 4,
			byStatus: { PENDING: 1, ACTIVE: 3, SUSPENDED: 0, INACTIVE: 0 },
			byMembershipType: { FULL: 3, YOUTH: 1, HONORARY: 0, ASSOCIATE: 0 },
			byGender: { FEMALE: 1, MALE: 1, DIVERSE: 0, UNKNOWN: 2 },
			byState: [
				{ stateCode: 'AT-3', count: 1 },
				{ stateCode: 'AT-6', count: 1 },
				{ stateCode: null, count: 2 },
			],
			// Emil is 18 tomorrow.
			minors: 1,
			// Anna, and Bernd, who joined today as nothing else was said.
			joinedThisYear: 2,
			feePaid: 1,
		});
		const both = await call<MemberStats>('GET', `${path}/stats`, {
			token: members.officialOf(club.id, other.id),
		});
		expect(both.data).toMatchObject({
			total: 7,
			byStatus: { PENDING: 1, ACTIVE: 5, SUSPENDED: 1, INACTIVE: 0 },
			byState: [
				{ stateCode: 'AT-3', count: 2 },
				{ stateCode: 'AT-6', count: 1 },
				{ stateCode: null, count: 4 },
			],
			minors: 1,
			joinedThisYear: 3,
			feePaid: 3,
		});
		const everybody = await call<MemberStats>('GET', `${path}/stats`, { token: officer });
		expect(everybody.data.byStatus.INACTIVE).toBe(1);
		const sum = (counts: object) =>
			Object.values(counts).reduce((total: number, count: number) => total + count, 0);
		const { total, byStatus, byMembershipType, byGender, byState } = everybody.data;
		expect([
			sum(byStatus) - 1,
			sum(byMembershipType),
			sum(byGender),
			sum(byState.map(({ count }) => count)),
		]).toEqual([total, total, total, total]);
	});

	test('leave a deleted member out of everything but INACTIVE', async () => {
		const stats = async () => (await call<MemberStats>('GET', `${path}/stats`, { token: officer })).data;
		const member = await records.activeMember({ dateOfBirth: '2015-01-01', guardian, feePaidForYear: 2026 });
		const before = await stats();
		await call('DELETE', `${path}/${member.id}`, { token: officer });
		const { byStatus, ...after } = await stats();
		expect(byStatus).toEqual({
			...before.byStatus,
			ACTIVE: before.byStatus.ACTIVE - 1,
			INACTIVE: before.byStatus.INACTIVE + 1,
		});
		expect(after).toMatchObject({
			total: before.total - 1,
			minors: before.minors - 1,
			joinedThisYear: before.joinedThisYear - 1,
			feePaid: before.feePaid - 1,
		});
	});

	test('of an official without clubs are zero', async () => {
		const { data } = await call<MemberStats>('GET', `${path}/stats`, { token: members.officialOf() });
		expect(data).toMatchObject({ total: 0, byState: [], minors: 0, feePaid: 0 });
	});
});
