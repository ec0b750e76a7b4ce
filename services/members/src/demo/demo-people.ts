import { type DemoMember, demoClubs, demoMember, demoMembers } from '@paddock/demo';
import type { MembershipType } from '../members/schemas.ts';

/** An invented person with the fields of this context. */
export interface DemoPerson extends DemoMember {
	readonly membershipType?: MembershipType;
	/** Years since the last year with a paid fee; absent = paid for this year, null = never paid. */
	readonly feePaidYearsAgo?: number | null;
	readonly guardianName?: string;
	/** The guardian, if that is one of the members. */
	readonly guardian?: DemoMember;
	readonly feiId?: string;
	readonly title?: string;
	readonly state?: 'PENDING' | 'SUSPENDED' | 'DELETED';
}

const { auwiesen, hochlaerchen, seeblick } = demoClubs;
const { david, hannah, kilian, oskar } = demoMembers;

/** Minors whose guardian is a member too: ward → guardian. */
const guardians: ReadonlyMap<DemoMember, DemoMember> = new Map<DemoMember, DemoMember>([
	[hannah, david],
	[kilian, oskar],
]);
const youth = { membershipType: 'YOUTH' } as const;

/** Members unknown to the other contexts: the states and kinds that a list must be able to show. */
const others: readonly DemoPerson[] = [
	person([101, auwiesen, '0101', 'Paula', 'Trensenauer', 'FEMALE', 15, '03-03'], {
		...youth,
		guardianName: 'Petra Trensenauer',
	}),
	person([102, auwiesen, '0102', 'Quirin', 'Steigbügler', 'MALE', 13, '11-19'], {
		...youth,
		guardianName: 'Quentin Steigbügler',
	}),
	person([103, auwiesen, '0103', 'Rosa', 'Longenwirth', 'FEMALE', 18, '02-14'], {}),
	person([104, auwiesen, '0104', 'Simon', 'Hafergruber', 'MALE', 20, '07-24'], {}),
	person([105, auwiesen, '0105', 'Theresa', 'Widristhuber', 'FEMALE', 25, '06-06'], { feiId: '99910105' }),
	person([106, auwiesen, '0106', 'Ulrich', 'Sporenmann', 'MALE', 44, '12-12'], { state: 'SUSPENDED' }),
	person([107, auwiesen, '0107', 'Valerie', 'Schabrackner', 'FEMALE', 31, '10-01'], { state: 'PENDING' }),
	person([108, hochlaerchen, '0101', 'Wolfgang', 'Führstrickl', 'MALE', 58, '05-15'], { state: 'DELETED' }),
	person([109, hochlaerchen, '0102', 'Xenia', 'Paddockleitner', 'FEMALE', 22, '08-28'], {
		feePaidYearsAgo: 1,
	}),
	person([110, hochlaerchen, '0103', 'Yannick', 'Oxerfeld', 'DIVERSE', 24, '01-17'], {}),
	person([111, hochlaerchen, '0104', 'Zita', 'Martingaler', 'FEMALE', 79, '04-04'], {
		membershipType: 'HONORARY',
		feePaidYearsAgo: null,
	}),
	person([112, hochlaerchen, '0105', 'Anton', 'Bandagenberger', 'MALE', 36, '09-13'], {
		membershipType: 'ASSOCIATE',
		title: 'Dr.',
	}),
	person([113, seeblick, '0101', 'Berta', 'Ponytaler', 'FEMALE', 9, '12-06'], {
		...youth,
		guardianName: 'Bruno Ponytaler',
	}),
	person([114, seeblick, '0102', 'Cornelius', 'Kötzelstein', 'MALE', 11, '06-30'], {
		...youth,
		guardianName: 'Carla Kötzelstein',
	}),
	person([115, seeblick, '0103', 'Dora', 'Schrittmeier', 'FEMALE', 63, '02-02'], { state: 'PENDING' }),
];

/** Common first names with invented surnames; every age class is represented. */
export const demoPeople: readonly DemoPerson[] = [...Object.values(demoMembers).map(shared), ...others];

function shared(member: DemoMember): DemoPerson {
	const guardian = guardians.get(member);
	if (guardian !== undefined) return { ...member, ...youth, guardian };
	// A member below 19 by calendar year may still be 17 for a part of the year.
	return member.ageInYear < 19
		? { ...member, ...youth, guardianName: `Maria ${member.lastName}` }
		: { ...member, ...(member.ageInYear < 30 ? {} : { feePaidYearsAgo: member.ageInYear % 2 }) };
}

function person(fields: Parameters<typeof demoMember>, rest: Omit<DemoPerson, keyof DemoMember>): DemoPerson {
	return { ...demoMember(...fields), ...rest };
}
