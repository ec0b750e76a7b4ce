import { dayInVienna, latestBirthDate } from '@paddock/calendar';
import type { MembersQueryable } from '../database-schema.ts';
import { fullAgeYears } from '../rules/member-checks.ts';
import { currentState } from '../rules/member-state.ts';
import type { ClubLookup, MemberLookup } from '../schemas/lookup.ts';

/** Deleted ones too, with their status; unknown ids are left out. */
export async function lookUpMembers(
	db: MembersQueryable,
	ids: readonly string[],
	now: Date,
): Promise<MemberLookup[]> {
	const minorsBornAfter = latestBirthDate(fullAgeYears, dayInVienna(now));
	const rows = await db
		.selectFrom('members')
		.leftJoin('members as guardians', (join) =>
			join
				.onRef('guardians.id', '=', 'members.guardian_member_id')
				.on('guardians.deleted_at', 'is', null)
				.on('members.date_of_birth', '>', minorsBornAfter),
		)
		.leftJoin('clubs', 'clubs.id', 'members.home_club_id')
		.selectAll('members')
		.select(['clubs.name as club_name', 'guardians.id as guardian_id'])
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
		guardianMemberId: row.guardian_id,
		publishResults: row.publish_results_given,
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
