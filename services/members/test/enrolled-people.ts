import { expect } from '@jest/globals';
import type { Page } from '@paddock/contract';
import type { Club } from '../src/clubs/schemas.ts';
import type { Member, MemberStatus } from '../src/members/schemas.ts';
import { officeOf } from './federation-office.ts';
import type { RunningMembers } from './running-members.ts';
import { membersPath, recordsOf } from './test-records.ts';

export const guardian = { name: 'Maria', relationship: 'mother' };

export interface EnrolledPeople {
	/** Has Anna, Bernd, Emil, the pending Hans and the deleted Ida. */
	readonly club: Club;
	/** Has Çelik, Dora and the suspended Gerda. Franz has no club. */
	readonly other: Club;
	/** The response to the office at `/api/members` and this path. */
	page(query: string): Promise<Page<Member>>;
	/** Of those on that page, in its order. */
	firstNames(query: string): Promise<string>;
}

interface Person {
	of?: 'club' | 'other';
	/** ACTIVE by default. */
	status?: MemberStatus;
	[field: string]: unknown;
}

/** What lists, searches and statistics are expected to say of them was found by hand. Today is 1 May 2026. */
const people: readonly Person[] = [
	{
		of: 'club',
		firstName: 'Anna',
		lastName: 'Müller',
		gender: 'FEMALE',
		feePaidForYear: 2026,
		address: { city: 'Furt', stateCode: 'AT-3' },
		email: 'anna@mueller.example.org',
		joinDate: '2026-01-02',
	},
	{
		of: 'club',
		firstName: 'Bernd',
		lastName: 'Mueller',
		gender: 'MALE',
		feePaidForYear: 2025,
		address: { city: 'Graz', stateCode: 'AT-6' },
	},
	{
		of: 'other',
		firstName: 'Çelik',
		lastName: 'Muller',
		gender: 'DIVERSE',
		feePaidForYear: 2027,
		nationality: 'DE',
		joinDate: '2025-12-31',
	},
	{
		of: 'other',
		firstName: 'Dora',
		lastName: 'Öller',
		membershipType: 'HONORARY',
		federationNumber: '004711',
		feiId: '10047110',
		joinDate: '2026-05-01',
	},
	{
		of: 'club',
		firstName: 'Emil',
		lastName: 'Oller',
		membershipType: 'YOUTH',
		dateOfBirth: '2008-05-02',
		guardian,
		joinDate: '2020-01-01',
	},
	{ firstName: 'Franz', lastName: 'Mühlmüller', dateOfBirth: '2008-05-01', joinDate: '2020-01-01' },
	{
		of: 'other',
		status: 'SUSPENDED',
		firstName: 'Gerda',
		lastName: 'Straßer',
		feePaidForYear: 2026,
		joinDate: '2020-01-01',
		address: { city: 'Furt', stateCode: 'AT-3' },
	},
	{
		of: 'club',
		status: 'PENDING',
		firstName: 'Hans',
		lastName: 'Van de Velde',
		joinDate: '2020-01-01',
	},
	{
		of: 'club',
		status: 'INACTIVE',
		firstName: 'Ida',
		lastName: 'Müller',
		gender: 'FEMALE',
		feePaidForYear: 2026,
		joinDate: '2026-01-01',
		dateOfBirth: '2015-01-01',
		guardian,
	},
];

/** Makes them, with their clubs. */
export async function enrolPeople(members: RunningMembers): Promise<EnrolledPeople> {
	const records = recordsOf(() => members);
	const { remove } = officeOf(() => members);
	const clubs = { club: await records.createClub('1111'), other: await records.createClub('2222') };
	for (const { of, status = 'ACTIVE', ...fields } of people) {
		const homeClub = of === undefined ? {} : { homeClubId: clubs[of].id };
		const member = await records.createMember({ ...fields, ...homeClub });
		if (status !== 'PENDING') await records.step(member, 'approve');
		if (status === 'SUSPENDED') await records.step(member, 'suspend', { reason: 'x' });
		if (status === 'INACTIVE') await remove(member);
	}
	const page: EnrolledPeople['page'] = async (query) => {
		const token = members.officer;
		const { status, data } = await members.call<Page<Member>>('GET', `${membersPath}${query}`, { token });
		expect(status).toBe(200);
		return data;
	};
	return {
		...clubs,
		page,
		firstNames: async (query) => (await page(query)).items.map(({ firstName }) => firstName).join(' '),
	};
}
