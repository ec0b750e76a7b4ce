import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, test } from '@jest/globals';
import type { Member } from '../src/members/schemas.ts';
import { type EnrolledPeople, enrolPeople } from './enrolled-people.ts';
import { useMembers } from './running-members.ts';
import { membersPath as path } from './test-records.ts';

const members = useMembers();
const { call } = members;
let people: EnrolledPeople;

beforeAll(async () => {
	people = await enrolPeople(members);
});

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
		expect(await people.firstNames(query)).toBe(expected);
	});

	test('of one club, and changed since', async () => {
		expect((await people.firstNames(`?clubId=${people.club.id}`)).split(' ').sort()).toEqual([
			'Anna',
			'Bernd',
			'Emil',
		]);
		members.clock.advance(1_000);
		const since = members.clock.now().toISOString();
		const changed = (at: string) =>
			people.firstNames(`?updatedSince=${encodeURIComponent(at)}&activeOnly=false`);
		expect(await changed(since)).toBe('');
		const [hans] = (await people.page('?status=PENDING')).items;
		await call('PUT', `${path}/${hans?.id}`, { token: members.officer, body: hans });
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
			const { items, pagination } = await people.page(query);
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
		['/search?q=', 'q'],
		[`/search?q=${'x'.repeat(101)}`, 'q'],
		['/search?q=ab%00', 'q'],
	])('%s is refused and named', async (query, field) => {
		const { status, data } = await call('GET', `${path}${query}`, { token: members.officer });
		expect([status, data.code, data.errors?.[0]?.field]).toEqual([400, 'INVALID_QUERY_PARAMETER', field]);
	});

	test('is not for caches', async () => {
		const { headers } = await call('GET', path, { token: members.officer });
		expect(headers.get('cache-control')).toBe('private, no-cache');
	});
});

describe('GET /members/{id}', () => {
	test('gets one, with an entity tag', async () => {
		const [one] = (await people.page('')).items;
		const { data, headers } = await call<Member>('GET', `${path}/${one?.id}`, { token: members.officer });
		const tag = headers.get('etag') ?? '';
		expect([data, tag]).toEqual([one, expect.stringMatching(/^"2\.[\w-]+"$/)]);
		const kept = await call('GET', `${path}/${one?.id}`, {
			token: members.officer,
			headers: { 'If-None-Match': tag },
		});
		expect(kept.status).toBe(304);
		expect((await call('GET', `${path}/${randomUUID()}`, { token: members.officer })).status).toBe(404);
		expect((await call('GET', `${path}/17`, { token: members.officer })).data.code).toBe('INVALID_ID');
	});
});
