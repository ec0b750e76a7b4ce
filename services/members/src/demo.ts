import { inTransaction, type SeedSet } from '@paddock/database';
import { birthDateOf, type DemoMember, demoClubs, demoMember, demoMembers, demoSignIns } from '@paddock/demo';
import { sql } from 'kysely';
import type { ClubBody } from './clubs/schemas.ts';
import { clubRow } from './clubs/store.ts';
import type { MembersQueryable, MembersSchema, NewMemberRow } from './database-schema.ts';
import { memberColumns } from './members/rows.ts';
import type { MemberFields, MembershipType } from './members/schemas.ts';
import { saveSearch } from './members/store.ts';

/** Inserted once if DEMO=on; the seed mark remains, so that they are not inserted again. Birth dates follow the year of `now`. */
export function demoMembership(now: () => Date): SeedSet<MembersSchema> {
	return {
		name: 'demo-members-1',
		insert: async (db) => {
			await db
				.insertInto('clubs')
				.values(demoClubList.map(({ id, club }) => ({ ...clubRow(club), id, isDemo: true })))
				.execute();
			// A guardian's row must exist before the rows that refer to it.
			const guardiansFirst = [
				...demoPeople.filter(({ guardian }) => guardian === undefined),
				...demoPeople.filter(({ guardian }) => guardian !== undefined),
			];
			for (const person of guardiansFirst) {
				const insert = db.insertInto('members').values(rowOf(person, now())).returningAll();
				await saveSearch(db, await insert.executeTakeFirstOrThrow());
			}
		},
	};
}

function rowOf(person: DemoPerson, now: Date): NewMemberRow {
	const { state } = person;
	return {
		...memberColumns(fieldsOf(person, now)),
		id: person.id,
		status: state === 'PENDING' || state === 'SUSPENDED' ? state : 'ACTIVE',
		statusReason: state === 'SUSPENDED' ? 'Disziplinarverfahren (Demo)' : null,
		deletedAt: state === 'DELETED' ? now : null,
		createdAt: now,
		updatedAt: now,
		isDemo: true,
	};
}

function fieldsOf(person: DemoPerson, now: Date): MemberFields {
	const year = now.getUTCFullYear();
	const address = demoClubList.find(({ id }) => id === person.clubId)?.club;
	const { feePaidYearsAgo = 0 } = person;
	const signIn = demoSignIns.find(({ memberId }) => memberId === person.id);
	return {
		membershipNumber: person.membershipNumber,
		federationNumber: null,
		feiId: person.feiId ?? null,
		title: person.title ?? null,
		firstName: person.firstName,
		lastName: person.lastName,
		dateOfBirth: birthDateOf(person, now),
		gender: person.gender,
		nationality: person.nationality,
		address:
			address?.address == null ? null : { ...address.address, street: null, stateCode: address.stateCode },
		email: signIn?.email ?? `${person.membershipNumber}@example.org`,
		phoneNumber: null,
		homeClubId: person.clubId,
		membershipType: person.membershipType ?? 'FULL',
		joinDate: `${year - Math.min(5, person.ageInYear - 7)}-01-15`,
		feePaidForYear: feePaidYearsAgo === null ? null : year - feePaidYearsAgo,
		guardian: guardianOf(person),
		emergencyContact: null,
		consents: {
			publishResults: { given: true, at: now.toISOString() },
			newsletter: { given: false, at: null },
		},
		notes: null,
	};
}

function guardianOf({ guardian, guardianName }: DemoPerson): MemberFields['guardian'] {
	const shared = { phoneNumber: null, email: 'family@example.org' };
	if (guardian !== undefined) {
		const { id: memberId, firstName, lastName } = guardian;
		return { ...shared, name: `${firstName} ${lastName}`, relationship: 'legal guardian', memberId };
	}
	if (guardianName === undefined) return null;
	return { ...shared, name: guardianName, relationship: 'parent', memberId: null };
}

/** With later changes; resolves with their number. Members of a demo club and minors of a demo guardian remain, without that link. */
export async function removeDemo(db: MembersQueryable): Promise<number> {
	const remove = async (transaction: MembersQueryable) => {
		const demoMemberIds = transaction.selectFrom('members').select('id').where('isDemo', '=', true);
		await transaction
			.updateTable('members')
			.set({ guardianMemberId: null, updatedAt: sql<Date>`now()`, version: sql<number>`version + 1` })
			.where('guardianMemberId', 'in', demoMemberIds)
			.where('isDemo', '=', false)
			.execute();
		const members = await transaction
			.deleteFrom('members')
			.where('isDemo', '=', true)
			.returning('id')
			.execute();
		const ofDemoClubs = transaction.selectFrom('clubs').select('id').where('isDemo', '=', true);
		const left = await transaction
			.updateTable('members')
			.set({ homeClubId: null, updatedAt: sql<Date>`now()`, version: sql<number>`version + 1` })
			.where('homeClubId', 'in', ofDemoClubs)
			.returningAll()
			.execute();
		for (const member of left) await saveSearch(transaction, member);
		const clubs = await transaction.deleteFrom('clubs').where('isDemo', '=', true).returning('id').execute();
		return members.length + clubs.length;
	};
	return db.isTransaction ? remove(db) : inTransaction(db, remove);
}

export interface DemoPerson extends DemoMember {
	readonly membershipType?: MembershipType;
	/** Years since the last year with a paid fee; absent = paid for this year, null = never paid. */
	readonly feePaidYearsAgo?: number | null;
	readonly guardianName?: string;
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
const demoPeople: readonly DemoPerson[] = [...Object.values(demoMembers).map(shared), ...others];

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

interface DemoClubRecord {
	readonly id: string;
	readonly club: ClubBody;
}

function recordOf(
	club: (typeof demoClubs)[keyof typeof demoClubs],
	rest: Pick<ClubBody, 'address' | 'email' | 'website'>,
): DemoClubRecord {
	const { id, clubNumber, name, shortName, stateCode } = club;
	return { id, club: { clubNumber, name, shortName, stateCode, ...rest, status: 'ACTIVE' } };
}

/** Invented clubs with fictitious streets, e-mail and web addresses. */
const demoClubList: readonly DemoClubRecord[] = [
	recordOf(demoClubs.auwiesen, {
		address: { street: 'Koppelweg 1', postalCode: '3499', city: 'Auwiesen an der Furt', countryCode: 'AT' },
		email: 'verein@auwiesen.example.org',
		website: 'https://auwiesen.example.org',
	}),
	recordOf(demoClubs.hochlaerchen, {
		address: { street: 'Almstraße 7', postalCode: '8999', city: 'Hochlärchen', countryCode: 'AT' },
		email: 'office@hochlaerchen.example.org',
		website: null,
	}),
	recordOf(demoClubs.seeblick, {
		address: { street: null, postalCode: '5399', city: 'Seeblick am Moor', countryCode: 'AT' },
		email: null,
		website: null,
	}),
];
