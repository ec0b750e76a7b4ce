import { day, id, isoDate, lookupQuery, type Route } from '@paddock/service';
import { z } from 'zod';
import { clubStatus } from '../clubs/schemas.ts';
import { membershipNumber } from '../codes.ts';
import type { MembersQueryable } from '../database-schema.ts';
import { type MembersDeps, route } from '../deps.ts';
import { minorsBornAfter } from '../members/rules.ts';
import { memberStatus } from '../members/schemas.ts';
import { currentState } from '../members/state-rules.ts';

const memberLookup = z
	.strictObject({
		items: z.array(
			z.strictObject({
				id,
				membershipNumber: z.string(),
				firstName: z.string(),
				lastName: z.string(),
				dateOfBirth: isoDate,
				nationality: z.string(),
				stateCode: z.string().nullable(),
				homeClubId: id.nullable(),
				homeClubName: z.string().nullable(),
				status: memberStatus,
				feePaidForYear: z.int().nullable(),
				guardianMemberId: id
					.nullable()
					.describe('The member responsible for one under 18; null from the 18th birthday on.'),
				publishResults: z.boolean().describe('Whether the member consents to published results.'),
			}),
		),
	})
	.meta({ id: 'MemberLookup' });

type MemberLookup = z.output<typeof memberLookup>['items'][number];

const clubLookup = z
	.strictObject({
		items: z.array(
			z.strictObject({
				id,
				clubNumber: z.string(),
				name: z.string(),
				stateCode: z.string().nullable(),
				status: clubStatus,
			}),
		),
	})
	.meta({ id: 'ClubLookup' });

type ClubLookup = z.output<typeof clubLookup>['items'][number];

const memberMatch = z
	.strictObject({
		items: z.array(z.strictObject({ id, homeClubId: id.nullable() })).max(1),
	})
	.meta({ id: 'MemberMatch' });

const shared = {
	method: 'get',
	access: { scope: 'members:lookup' },
	readers: 'services',
	query: lookupQuery,
} as const;

/** For services that validate references of entries or horses to members and clubs. Unknown ids are omitted. */
export const lookupRoutes: readonly Route<MembersDeps>[] = [
	route({
		...shared,
		path: '/internal/members/lookup',
		operationId: 'lookUpMembers',
		summary: 'Look members up, deleted ones too',
		output: memberLookup,
		message: 'Members',
		handler: async ({ query, now }, { db }) => ({
			items: await lookUpMembers(db, query.ids, minorsBornAfter(now), now),
		}),
	}),
	route({
		method: 'get',
		access: shared.access,
		path: '/internal/members/match',
		operationId: 'matchMember',
		readers: 'services',
		summary: 'Find the member with this number and birth date; deleted ones are omitted',
		query: z.strictObject({ membershipNumber: membershipNumber.stored, dateOfBirth: day }),
		output: memberMatch,
		message: 'Member',
		handler: async ({ query }, { db }) => ({ items: await findMemberByNumber(db, query) }),
	}),
	route({
		...shared,
		path: '/internal/clubs/lookup',
		operationId: 'lookUpClubs',
		summary: 'Look clubs up',
		output: clubLookup,
		message: 'Clubs',
		handler: async ({ query }, { db }) => ({ items: await lookUpClubs(db, query.ids) }),
	}),
];

/** Looks members up, deleted ones included, with status and, if born after that day, guardian; unknown ids are omitted. */
async function lookUpMembers(
	db: MembersQueryable,
	ids: readonly string[],
	minorsBornAfter: string,
	now: Date,
): Promise<MemberLookup[]> {
	const rows = await db
		.selectFrom('members')
		.leftJoin('members as guardians', (join) =>
			join
				.onRef('guardians.id', '=', 'members.guardianMemberId')
				.on('guardians.deletedAt', 'is', null)
				.on('members.dateOfBirth', '>', minorsBornAfter),
		)
		.leftJoin('clubs', 'clubs.id', 'members.homeClubId')
		.selectAll('members')
		.select(['clubs.name as clubName', 'guardians.id as guardianId'])
		.where('members.id', 'in', ids)
		.orderBy('members.id')
		.execute();
	return rows.map((row) => ({
		id: row.id,
		membershipNumber: row.membershipNumber,
		firstName: row.firstName,
		lastName: row.lastName,
		dateOfBirth: row.dateOfBirth,
		nationality: row.nationality,
		stateCode: row.stateCode,
		homeClubId: row.homeClubId,
		homeClubName: row.clubName,
		status: currentState(row, now).status,
		feePaidForYear: row.feePaidForYear,
		guardianMemberId: row.guardianId,
		publishResults: row.publishResultsGiven,
	}));
}

/** One statement for each outcome, so that the time discloses nothing. */
function findMemberByNumber(
	db: MembersQueryable,
	{ membershipNumber, dateOfBirth }: { readonly membershipNumber: string; readonly dateOfBirth: string },
): Promise<{ id: string; homeClubId: string | null }[]> {
	return db
		.selectFrom('members')
		.select(['id', 'homeClubId'])
		.where('membershipNumber', '=', membershipNumber)
		.where('dateOfBirth', '=', dateOfBirth)
		.where('deletedAt', 'is', null)
		.execute();
}

function lookUpClubs(db: MembersQueryable, ids: readonly string[]): Promise<ClubLookup[]> {
	return db
		.selectFrom('clubs')
		.select(['id', 'clubNumber', 'name', 'stateCode', 'status'])
		.where('id', 'in', ids)
		.orderBy('id')
		.execute();
}
