import { apiError } from '@paddock/contract';
import { type RawBuilder, sql } from 'kysely';
import type { Viewer } from '../rules/member-rights.ts';
import type { MemberStatus } from '../schemas/member.ts';
import type { MemberQuery } from '../schemas/member-query.ts';

type Condition = RawBuilder<boolean>;

/** The status at that instant, as `currentState` tells it; of `members` and of `memberSearch`. */
export function statusAt(now: Date): RawBuilder<string> {
	return sql`case
		when deleted_at is not null then 'INACTIVE'
		when status = 'SUSPENDED' and suspension_ends_at <= ${now} then 'ACTIVE'
		else status end`;
}

/** Members of that status at that instant, in words for which there is an index. */
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

/** Members that changed at that instant or later, the end of a suspension included; in words for which there is an index. */
export function changedSince(since: Date, now: Date): Condition {
	return sql`(updated_at >= ${since} or (
		deleted_at is null and status = 'SUSPENDED' and suspension_ends_at between ${since} and ${now}
	))`;
}

/** Those whom `rightsOver` lets the caller see, deleted ones left aside. */
export function visibleTo({ isOffice, clubIds, memberId, minorsBornAfter }: Viewer): Condition {
	if (isOffice) return sql`true`;
	const ofClubs = sql<boolean>`home_club_id = any(${[...clubIds]}::uuid[])`;
	if (memberId === undefined) return ofClubs;
	// An array is computed once, and its ids are looked up in the index; a subquery here would be a filter over every row.
	return sql`(${ofClubs} or id = ${memberId}::uuid or id = any(array(
		select wards.id from members wards
		where wards.guardian_member_id = ${memberId}::uuid and wards.date_of_birth > ${minorsBornAfter}::date
	)))`;
}

type Filters = Pick<MemberQuery, 'status' | 'membershipType' | 'clubId' | 'includeInactive'>;

/**
 * What list and search have in common. Both tables name these columns alike.
 * @throws ApiError FORBIDDEN when somebody but the office asks for deleted members.
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
