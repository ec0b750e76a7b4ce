import { count, countsBy } from '@paddock/service';
import { z } from 'zod';
import { gender, memberStatus, membershipType } from './schemas.ts';

/** Member counts; all but `byStatus` exclude deleted members. */
export const memberStats = z
	.strictObject({
		total: count.describe('Members that are not deleted.'),
		byStatus: countsBy('MemberStatusCount', 'status', memberStatus).describe(
			'By status, deleted members included.',
		),
		byMembershipType: countsBy('MembershipTypeCount', 'membershipType', membershipType).describe(
			'By kind of membership.',
		),
		byGender: countsBy('GenderCount', 'gender', gender).describe('By gender.'),
		byState: countsBy(
			'StateCount',
			'stateCode',
			z.string().nullable().describe('ISO 3166-2; null if unknown.'),
		).describe('By the state of the address; null = no state is known.'),
		minors: count.describe('Under 18 today, in Austria.'),
		joinedThisYear: count.describe('Joined since 1 January, in Austria.'),
		feePaid: count.describe('For this year or a later one.'),
	})
	.meta({
		id: 'MemberStats',
		description: 'Numbers of the members that the caller may see.',
		example: {
			total: 3,
			byStatus: [
				{ status: 'PENDING', count: 1 },
				{ status: 'ACTIVE', count: 2 },
				{ status: 'SUSPENDED', count: 0 },
				{ status: 'INACTIVE', count: 1 },
			],
			byMembershipType: [
				{ membershipType: 'FULL', count: 2 },
				{ membershipType: 'YOUTH', count: 1 },
			],
			byGender: [
				{ gender: 'FEMALE', count: 2 },
				{ gender: 'MALE', count: 1 },
			],
			byState: [
				{ stateCode: 'AT-3', count: 2 },
				{ stateCode: null, count: 1 },
			],
			minors: 1,
			joinedThisYear: 1,
			feePaid: 2,
		},
	});

export type MemberStats = z.output<typeof memberStats>;
