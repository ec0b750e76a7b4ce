import type { MembersQueryable } from '../database-schema.ts';
import { currentState } from '../rules/member-state.ts';
import type { ClubLookup, MemberLookup } from '../schemas/lookup.ts';

/** Deleted ones too, with their status; unknown ids are left out. */
export async function lookUpMembers(
	db: MembersQueryable,
	ids: readonly string[],
	now: Date,
): Promise<MemberLookup[]> {
	const rows = await db
		.selectFrom('members')
		.leftJoin('clubs', 'clubs.id', 'members.home_club_id')
		.selectAll('members')
		.select('clubs.name as club_name')
		.where('members.id', 'in', ids)
		.orderBy('members.id')
		.execute();
	return rows.map((row) => ({
		id: row.id,
		membershipNumber: row.membership_number,
		firstName: row.first_name,
		lastName: row.last_name,
		dateOfBirth: row.date_of_birth,
		nationality: row.nationality,
		stateCode: row.state_code,
		homeClubId: row.home_club_id,
		homeClubName: row.club_name,
		status: currentState(row, now).status,
		feePaidForYear: row.fee_paid_for_year,
	}));
}

/** Unknown ids are left out. */
export async function lookUpClubs(db: MembersQueryable, ids: readonly string[]): Promise<ClubLookup[]> {
	const rows = await db
		.selectFrom('clubs')
		.select(['id', 'club_number', 'name', 'state_code', 'status'])
		.where('id', 'in', ids)
		.orderBy('id')
		.execute();
	return rows.map(({ club_number: clubNumber, state_code: stateCode, ...row }) => ({
		...row,
		clubNumber,
		stateCode,
	}));
}
