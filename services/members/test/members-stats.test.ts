import { beforeAll, describe, expect, test } from '@jest/globals';
import type { MemberStats } from '../src/members/stats.ts';
import { type EnrolledPeople, enrolPeople, guardian } from './enrolled-people.ts';
import { useMembers } from './running-members.ts';
import { membersPath as path, recordsOf } from './test-records.ts';

const members = useMembers();
let people: EnrolledPeople;
const records = recordsOf(() => members);

beforeAll(async () => {
	people = await enrolPeople(members);
});

async function statsFor(token = members.officer): Promise<MemberStats> {
	return (await members.call<MemberStats>('GET', `${path}/stats`, { token })).data;
}

const counts = (key: string, numbers: Record<string, number>) =>
	Object.entries(numbers).map(([value, count]) => ({ [key]: value, count }));

describe('GET /members/stats', () => {
	test('match a manual count', async () => {
		expect(await statsFor(members.officialOf(people.club.id))).toEqual({
			countedAt: expect.any(String),
			total: 4,
			byStatus: counts('status', { PENDING: 1, ACTIVE: 3, SUSPENDED: 0, INACTIVE: 0 }),
			byMembershipType: counts('membershipType', { FULL: 3, YOUTH: 1, HONORARY: 0, ASSOCIATE: 0 }),
			byGender: counts('gender', { FEMALE: 1, MALE: 1, DIVERSE: 0, UNKNOWN: 2 }),
			byState: [
				{ stateCode: 'AT-3', count: 1 },
				{ stateCode: 'AT-6', count: 1 },
				{ stateCode: null, count: 2 },
			],
			// Emil is 18 tomorrow.
			minors: 1,
			// Anna, and Bernd, whose join date is today by default.
			joinedThisYear: 2,
			feePaid: 1,
		});
		expect(await statsFor(members.officialOf(people.club.id, people.other.id))).toMatchObject({
			total: 7,
			byStatus: counts('status', { PENDING: 1, ACTIVE: 5, SUSPENDED: 1, INACTIVE: 0 }),
			byState: [
				{ stateCode: 'AT-3', count: 2 },
				{ stateCode: 'AT-6', count: 1 },
				{ stateCode: null, count: 4 },
			],
			minors: 1,
			joinedThisYear: 3,
			feePaid: 3,
		});
		const { total, byStatus, byMembershipType, byGender, byState } = await statsFor();
		expect(byStatus).toContainEqual({ status: 'INACTIVE', count: 1 });
		const sum = (list: readonly { count: number }[]) => list.reduce((sum, { count }) => sum + count, 0);
		expect([sum(byStatus) - 1, sum(byMembershipType), sum(byGender), sum(byState)]).toEqual([
			total,
			total,
			total,
			total,
		]);
	});

	test('count a deleted member as INACTIVE only', async () => {
		const member = await records.activeMember({ dateOfBirth: '2015-01-01', guardian, feePaidForYear: 2026 });
		const before = await statsFor();
		await members.call('DELETE', `${path}/${member.id}`, { token: members.officer });
		const { byStatus, ...after } = await statsFor();
		const moved: Record<string, number> = { ACTIVE: -1, INACTIVE: 1 };
		expect(byStatus).toEqual(
			before.byStatus.map(({ status, count }) => ({ status, count: count + (moved[status] ?? 0) })),
		);
		expect(after).toMatchObject({
			total: before.total - 1,
			minors: before.minors - 1,
			joinedThisYear: before.joinedThisYear - 1,
			feePaid: before.feePaid - 1,
		});
	});

	// The condition of the list, which shows an official's wards as well, counted them with the clubs.
	test('of an official do not count wards of other clubs', async () => {
		const ward = await records.activeMember({
			dateOfBirth: '2015-01-01',
			guardian,
			homeClubId: people.other.id,
		});
		const rights = {
			roles: ['MEMBER', 'CLUB_OFFICIAL'] as const,
			roleScopes: { CLUB_OFFICIAL: { clubIds: [people.club.id] } },
		};
		const [official, parent] = [members.sign(rights), members.sign({ ...rights, guardianOf: [ward.id] })];
		expect((await members.call('GET', `${path}/${ward.id}`, { token: parent })).status).toBe(200);
		const { countedAt, ...numbers } = await statsFor(official);
		expect(await statsFor(parent)).toMatchObject(numbers);
	});

	test('of an official without clubs are zero', async () => {
		expect(await statsFor(members.officialOf())).toMatchObject({
			total: 0,
			byState: [],
			minors: 0,
			feePaid: 0,
		});
	});
});
