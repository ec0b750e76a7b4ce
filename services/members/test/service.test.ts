import { describe, expect, test } from '@jest/globals';
import { ageOnDate } from '@paddock/calendar';
import type { Page } from '@paddock/contract';
import { demoClubs, demoMembers } from '@paddock/demo';
import { openApiDocument } from '@paddock/service/openapi';
import { checkLostDatabase, namedSchemas } from '@paddock/testing';
import { removeDemo } from '../src/demo.ts';
import { type Member, memberStatus } from '../src/members/schemas.ts';
import { membersRoutes } from '../src/routes.ts';
import { useMembers } from './running-members.ts';
import { membersPath as path, recordsOf } from './test-records.ts';

const members = useMembers();
const records = recordsOf(() => members);

async function startOnce(DEMO: boolean): Promise<void> {
	await (await members.another({ DATABASE_POOL_MAX: 2, DEMO })).close();
}

async function counted(): Promise<[members: number, clubs: number]> {
	const { db } = members;
	const rows = [
		db.selectFrom('members').select('id').execute(),
		db.selectFrom('clubs').select('id').execute(),
	];
	const [people, clubs] = await Promise.all(rows);
	return [people?.length ?? 0, clubs?.length ?? 0];
}

async function shown(query: string): Promise<Member[]> {
	return (await members.call<Page<Member>>('GET', `${path}${query}`, { token: members.officer })).data.items;
}

describe('demo data', () => {
	test('is created only if configured, and once', async () => {
		await startOnce(false);
		expect(await counted()).toEqual([0, 0]);
		await startOnce(true);
		await startOnce(true);
		expect(await counted()).toEqual([30, 3]);
	});

	test('has every status, every age class of the rules, and minors with guardians', async () => {
		const all = await shown('?includeInactive=true&size=200');
		expect(new Set(all.map(({ status }) => status))).toEqual(new Set(memberStatus.options));
		expect(new Set(all.map(({ membershipType }) => membershipType)).size).toBe(4);
		// OeTO §12: youth 8–15, children 12–14, juniors 16–18, young riders 16–21, U25 16–25, general 19+, seniors 40+.
		const ages = all.map(({ dateOfBirth }) => 2026 - Number(dateOfBirth.slice(0, 4)));
		for (const [from, to] of [
			[8, 11],
			[12, 14],
			[15, 15],
			[16, 18],
			[19, 21],
			[22, 25],
			[26, 39],
			[40, 80],
		] as const)
			expect(ages.some((age) => age >= from && age <= to)).toBe(true);
		const minors = all.filter(({ dateOfBirth }) => ageOnDate(dateOfBirth, '2026-12-31') < 18);
		expect(minors.length).toBeGreaterThan(5);
		expect(minors.every(({ guardian }) => guardian !== null)).toBe(true);
		const guardians = new Set(minors.flatMap(({ guardian }) => guardian?.memberId ?? []));
		expect(guardians).toEqual(new Set([demoMembers.david.id, demoMembers.oskar.id]));
		for (const member of all) {
			expect(member.email).toMatch(/@example\.org$/);
			expect([member.phoneNumber, member.guardian?.phoneNumber ?? null]).toEqual([null, null]);
		}
		const { ada } = demoMembers;
		expect(all.find(({ id }) => id === ada.id)).toMatchObject({
			firstName: 'Ada',
			membershipNumber: '19990001',
			homeClubId: demoClubs.auwiesen.id,
		});
	});

	test('is found, can be changed, and goes with whatever was changed; what people added stays', async () => {
		expect((await shown('/search?q=zuegelbauer')).map(({ firstName }) => firstName)).toEqual(['Eva']);
		const own = await records.createMember({ homeClubId: demoClubs.auwiesen.id });
		expect(own.membershipNumber).toBe('19990108');
		const ward = await records.createMember({
			dateOfBirth: '2015-01-01',
			guardian: { name: 'Eva', relationship: 'aunt', memberId: demoMembers.eva.id },
		});
		const [eva] = await shown('/search?q=zuegelbauer');
		await members.call('DELETE', `${path}/${eva?.id}`, { token: members.officer });
		expect(await removeDemo(members.db)).toBe(33);
		expect(await counted()).toEqual([2, 0]);
		expect(await records.storedRow(ward.id)).toMatchObject({ guardianMemberId: null, version: 2 });
		const [left] = await shown(`/search?q=${own.membershipNumber}`);
		expect(left).toMatchObject({ id: own.id, homeClubId: null, version: 2 });
		expect(await removeDemo(members.db)).toBe(0);
		await startOnce(true);
		expect(await counted()).toEqual([2, 0]);
	});
});

describe('the documentation', () => {
	const document = openApiDocument({
		title: 'Members',
		version: '0',
		description: '',
		tags: [],
		routes: membersRoutes,
	});

	test('names every route, its body and its response', () => {
		expect(Object.keys(document.paths ?? {})).toHaveLength(19);
		const schemas = Object.keys(document.components?.schemas ?? {});
		for (const name of ['Member', 'Club'])
			expect(schemas).toEqual(expect.arrayContaining([name, `${name}Body`, `${name}Page`, `${name}Lookup`]));
		expect(schemas).toEqual(
			expect.arrayContaining(['MemberStats', 'Suspension', 'MemberAddress', 'Guardian']),
		);
	});

	test('has examples that the schemas allow', () => {
		const withExample = namedSchemas(membersRoutes).filter(({ example }) => example !== undefined);
		expect(withExample.length).toBeGreaterThan(10);
		for (const { schema, name, example } of withExample)
			expect([name, schema.safeParse(example).error?.issues]).toEqual([name, undefined]);
	});
});

test('a lost database gets 503 with Retry-After; readiness reports it; both recover automatically', () =>
	checkLostDatabase(members, path));
