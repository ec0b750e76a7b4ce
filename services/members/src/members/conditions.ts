import { apiError } from '@paddock/contract';
import { anyOf, isOneOf } from '@paddock/database';
import { type RawBuilder, sql } from 'kysely';
import type { MembersQueryable } from '../database-schema.ts';
import type { MemberQuery } from './query-schemas.ts';
import type { Viewer } from './rules.ts';
import { type MemberStatus, memberStatus } from './schemas.ts';

export type Condition = RawBuilder<boolean>;

const allStatuses = memberStatus.options;
export const presentStatuses = allStatuses.filter((status) => status !== 'INACTIVE');

/** The statuses that a query selects, also by the parameters that `status` replaces. */
export function wantedStatuses(
	{ status, includeInactive, activeOnly }: Partial<MemberQuery>,
	otherwise: readonly MemberStatus[],
): readonly MemberStatus[] {
	const byFlags = activeOnly === false ? presentStatuses : otherwise;
	const wanted = status ?? (includeInactive === true ? allStatuses : byFlags);
	return wanted
		.filter((each) => activeOnly !== true || each === 'ACTIVE')
		.filter((each) => includeInactive !== false || each !== 'INACTIVE');
}

/** Status at `now`, consistent with `currentState`; for `members` and `memberSearch`. */
export function statusAt(now: Date): RawBuilder<string> {
	return sql`case
		when deleted_at is not null then 'INACTIVE'
		when status = 'SUSPENDED' and suspension_ends_at <= ${now} then 'ACTIVE'
		else status end`;
}

/** Matches members with the status at `now`, in a form that can use an index. */
function hasStatus(status: MemberStatus, now: Date): Condition {
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

/** Ended suspensions included; without any that is not written yet, the list is bounded by the index of the changes. */
export async function changedSince(db: MembersQueryable, since: Date, now: Date): Promise<Condition> {
	const ended = await listEndedSuspensions(db, since, now);
	const isWritten = sql<boolean>`updated_at >= ${since}`;
	return ended.length === 0 ? isWritten : sql`(${isWritten} or id = any (${[...ended]}::uuid[]))`;
}

/** Matches the members that `rightsOver` lets the caller see; deletion is not considered. */
export function visibleTo({
	isOffice,
	clubIds,
	memberId,
	guardianOf,
	minorsBornAfter,
}: Omit<Viewer, 'memberStatus'>): Condition {
	if (isOffice) return sql`true`;
	const ofClubs = sql<boolean>`home_club_id = any(${[...clubIds]}::uuid[])`;
	const wards = (isWard: RawBuilder<unknown>) =>
		sql`select wards.id from members wards where ${isWard} and wards.date_of_birth > ${minorsBornAfter}::date`;
	const own =
		memberId === undefined
			? []
			: [sql`id = ${memberId}::uuid`, isIn(wards(sql`wards.guardian_member_id = ${memberId}::uuid`))];
	const linked =
		guardianOf.length === 0 ? [] : [isIn(wards(sql`wards.id = any(${[...guardianOf]}::uuid[])`))];
	return sql`(${sql.join([ofClubs, ...own, ...linked], sql` or `)})`;
}

/** An array is computed once and its ids are looked up in the index; a subquery here would filter every row. */
function isIn(ids: RawBuilder<unknown>): RawBuilder<unknown> {
	return sql`id = any(array(${ids}))`;
}

/** Both tables use the same column names. @throws ApiError FORBIDDEN if a caller other than the office requests deleted members or duplicates. */
export function sharedConditions(query: MemberQuery, viewer: Viewer, now: Date): Condition[] {
	const { membershipType, clubId, stateCode, nationality, feePaidForYear, duplicateSuspected } = query;
	const statuses = wantedStatuses(query, ['ACTIVE']);
	const withInactive = query.includeInactive === true || statuses.includes('INACTIVE');
	if ((withInactive || duplicateSuspected !== undefined) && !viewer.isOffice) throw apiError('FORBIDDEN');
	return [
		visibleTo(viewer),
		...hasAnyStatus(statuses, now),
		...(membershipType === undefined ? [] : [isOneOf('membershipType', membershipType)]),
		...(clubId === undefined ? [] : [isOneOf('homeClubId', clubId)]),
		...(stateCode === undefined ? [] : [isOneOf('stateCode', stateCode)]),
		...(nationality === undefined ? [] : [isOneOf('nationality', nationality)]),
		...(feePaidForYear === undefined ? [] : [sql<boolean>`fee_paid_for_year = ${feePaidForYear}`]),
		...(duplicateSuspected === undefined ? [] : [sql<boolean>`duplicate_suspected = ${duplicateSuspected}`]),
	];
}

/** Conditions for members in any of the statuses; none for all of them. */
function hasAnyStatus(statuses: readonly MemberStatus[], now: Date): Condition[] {
	if (statuses.length === allStatuses.length) return [];
	const isPresent = presentStatuses.every((status) => statuses.includes(status));
	return [isPresent ? sql`deleted_at is null` : anyOf(statuses.map((status) => hasStatus(status, now)))];
}

/** Ids of members whose suspension has ended between `since` and `now`, and is not written yet. */
async function listEndedSuspensions(
	db: MembersQueryable,
	since: Date,
	now: Date,
): Promise<readonly string[]> {
	const rows = await db
		.selectFrom('members')
		.select('id')
		.where('suspensionEndsAt', '>=', since)
		.where('suspensionEndsAt', '<=', now)
		.where('status', '=', 'SUSPENDED')
		.where('deletedAt', 'is', null)
		.execute();
	return rows.map(({ id }) => id);
}
