import type { MembersQueryable } from '../database-schema.ts';
import { currentState } from '../members/state-rules.ts';
import type { ClubLookup, MemberLookup } from './routes.ts';

/** Looks members up, deleted ones included, with status and, if born after that day, guardian; unknown ids are omitted. */
export async function lookUpMembers(
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
export function findMemberByNumber(
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

export function lookUpClubs(db: MembersQueryable, ids: readonly string[]): Promise<ClubLookup[]> {
	return db
		.selectFrom('clubs')
		.select(['id', 'clubNumber', 'name', 'stateCode', 'status'])
		.where('id', 'in', ids)
		.orderBy('id')
		.execute();
}
