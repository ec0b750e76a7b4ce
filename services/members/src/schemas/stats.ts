import { z } from 'zod';
import { gender, memberStatus, membershipType } from './member.ts';

const count = z.int().min(0);

/** Member counts; all but `byStatus` exclude deleted members. */
export const memberStats = z
	.strictObject({
		total: count,
		byStatus: countsOf(memberStatus.options),
		byMembershipType: countsOf(membershipType.options),
		byGender: countsOf(gender.options),
		byState: z
			.array(z.strictObject({ stateCode: z.string().nullable(), count }))
			.describe('By the state of the address; null = no state is known.'),
		minors: count.describe('Under 18 today, in Austria.'),
		joinedThisYear: count,
		feePaid: count.describe('For this year or a later one.'),
	})
	.meta({
		id: 'MemberStats',
		example: {
			total: 3,
			byStatus: { PENDING: 1, ACTIVE: 2, SUSPENDED: 0, INACTIVE: 1 },
			byMembershipType: { FULL: 2, YOUTH: 1, HONORARY: 0, ASSOCIATE: 0 },
			byGender: { FEMALE: 2, MALE: 1, DIVERSE: 0, UNKNOWN: 0 },
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

function countsOf<const Name extends string>(names: readonly Name[]) {
	const shape = Object.fromEntries(names.map((name) => [name, count])) as Record<Name, typeof count>;
	return z.strictObject(shape);
}
