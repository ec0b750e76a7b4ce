import { apiError } from '@paddock/contract';
import { type RawBuilder, sql } from 'kysely';
import type { MemberQuery } from './query-schemas.ts';
import type { Viewer } from './rules.ts';
import type { MemberStatus } from './schemas.ts';

type Condition = RawBuilder<boolean>;

/** Status at `now`, consistent with `currentState`; for `members` and `memberSearch`. */
export function statusAt(now: Date): RawBuilder<string> {
	return sql`case
		when deleted_at is not null then 'INACTIVE'
		when status = 'SUSPENDED' and suspension_ends_at <= ${now} then 'ACTIVE'
		else status end`;
}

/** Matches members with the status at `now`, in a form that can use an index. */
export function hasStatus(status: MemberStatus, now: Date): Condition {
	switch (status) {
		case 'INACTIVE':
			return sql`deleted_at is not null`;
		case 'PENDING':
			return sql`(deleted_at is null and status = 'PENDING')`;
		case 'ACTIVE':
			return sql`(deleted_at is null and (
				status = 'ACTIVE' or (status = 'SUSPENDED' and suspension_ends_at <= ${now})
			))`;
		case 'SUSPENDED':
			return sql`(deleted_at is null and status = 'SUSPENDED' and (
				suspension_ends_at is null or suspension_ends_at > ${now}
			))`;
	}
}

/** Matches members changed at `since` or later, ended suspensions included, in a form that can use an index. */
export function changedSince(since: Date, now: Date): Condition {
	return sql`(updated_at >= ${since} or (
		deleted_at is null and status = 'SUSPENDED' and suspension_ends_at between ${since} and ${now}
	))`;
}

/** Matches the members that `rightsOver` lets the caller see; deletion is not considered. */
export function visibleTo({ isOffice, clubIds, memberId, minorsBornAfter }: Viewer): Condition {
	if (isOffice) return sql`true`;
	const ofClubs = sql<boolean>`home_club_id = any(${[...clubIds]}::uuid[])`;
	if (memberId === undefined) return ofClubs;
	// An array is computed once and its ids are looked up in the index; a subquery here would filter every row.
	return sql`(${ofClubs} or id = ${memberId}::uuid or id = any(array(
		select wards.id from members wards
		where wards.guardian_member_id = ${memberId}::uuid and wards.date_of_birth > ${minorsBornAfter}::date
	)))`;
}

type Filters = Pick<MemberQuery, 'status' | 'membershipType' | 'clubId' | 'includeInactive'>;

/**
 * Conditions shared by list and search; both tables use the same column names.
 * @throws ApiError FORBIDDEN if a caller other than the office requests deleted members.
 */
export function sharedConditions(filters: Filters, viewer: Viewer, now: Date): Condition[] {
	const { status, membershipType, clubId } = filters;
	const withInactive = filters.includeInactive ?? status === 'INACTIVE';
	if (withInactive && !viewer.isOffice) throw apiError('FORBIDDEN');
	return [
		visibleTo(viewer),
		...(withInactive ? [] : [sql<boolean>`deleted_at is null`]),
		...(status === undefined ? [] : [hasStatus(status, now)]),
		...(membershipType === undefined ? [] : [sql<boolean>`membership_type = ${membershipType}`]),
		...(clubId === undefined ? [] : [sql<boolean>`home_club_id = ${clubId}`]),
	];
}
