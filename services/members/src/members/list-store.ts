import { apiError, type Page } from '@paddock/contract';
import { listPage, matchesAny, type TextQuery, textMatches, textQuery, wordsBegin } from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import type { MembersQueryable } from '../database-schema.ts';
import { listEndedSuspensions } from './end-suspensions.ts';
import type { MemberQuery, MemberSearchQuery } from './query-schemas.ts';
import type { Viewer } from './rules.ts';
import type { MemberStatus, WholeMember } from './schemas.ts';
import { listMembersByIds } from './store.ts';

const order = {
	defaultSort: ['lastName'],
	alphabetical: ['firstName'],
	expressions: { lastName: sql.ref('sortName') },
	indexed: ['lastName', 'firstName', 'membershipNumber', 'dateOfBirth', 'joinDate', 'createdAt', 'updatedAt'],
} as const;

/**
 * The members that the caller may see. Count and page come from the index alone; only the rows of the page are fetched.
 * @throws ApiError FORBIDDEN when a caller other than the office queries deleted members or suspected duplicates.
 */
export async function listMembers(
	db: MembersQueryable,
	query: MemberQuery,
	viewer: Viewer,
	now: Date,
): Promise<Page<WholeMember>> {
	return listPage(db, await matchingMembers(db, query, viewer, now), {
		request: pageRequest(query),
		sort: query.sort,
		order,
		find: (ids) => listMembersByIds(db, ids, now),
	});
}

async function matchingMembers(db: MembersQueryable, query: MemberQuery, viewer: Viewer, now: Date) {
	const { stateCode, nationality, feePaidForYear, duplicateSuspected, updatedSince } = query;
	if (duplicateSuspected !== undefined && !viewer.isOffice) throw apiError('FORBIDDEN');
	const othersWanted = query.status !== undefined || query.includeInactive === true;
	const activeOnly = query.activeOnly ?? !othersWanted;
	const conditions = [
		...sharedConditions(query, viewer, now),
		...(activeOnly ? [hasStatus('ACTIVE', now)] : []),
		...(stateCode === undefined ? [] : [sql<boolean>`state_code = ${stateCode}`]),
		...(nationality === undefined ? [] : [sql<boolean>`nationality = ${nationality}`]),
		...(feePaidForYear === undefined ? [] : [sql<boolean>`fee_paid_for_year = ${feePaidForYear}`]),
		...(duplicateSuspected === undefined ? [] : [sql<boolean>`duplicate_suspected = ${duplicateSuspected}`]),
		...(updatedSince === undefined ? [] : [await changedSince(db, new Date(updatedSince), now)]),
	];
	return conditions.reduce((select, condition) => select.where(condition), db.selectFrom('members'));
}

/**
 * Finds the members that match every word. Order: exact number or e-mail address, then names in which each word begins
 * a word, then the others; each group by name.
 * @throws ApiError FORBIDDEN if a caller other than the office requests deleted members.
 */
export async function searchMembers(
	db: MembersQueryable,
	query: MemberSearchQuery,
	viewer: Viewer,
	now: Date,
): Promise<Page<WholeMember>> {
	const text = textQuery(query.q);
	const conditions = [...sharedConditions(query, viewer, now), textMatches('searchText', text)];
	const hits = conditions.reduce(
		(select, condition) => select.where(condition),
		db.selectFrom('memberSearch'),
	);
	return listPage(db, hits, {
		request: pageRequest(query),
		sort: undefined,
		order: { defaultSort: ['sortName'] },
		rank: rank(query.q, text),
		best: isIdentifier(query.q) ? [matchesAny('searchText', text.whole)] : [],
		find: (ids) => listMembersByIds(db, ids, now),
	});
}

/** Only text with a digit or an @ can be a number or an e-mail address. */
function isIdentifier(typed: string): boolean {
	return /[\d@]/.test(typed);
}

function rank(typed: string, text: TextQuery): RawBuilder<number> {
	const isWhole = isIdentifier(typed) ? matchesAny('searchText', text.whole) : sql<boolean>`false`;
	return sql`case when ${isWhole} then 0 when ${wordsBegin('searchText', text)} then 1 else 2 end`;
}

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

/**
 * Matches members changed at `since` or later, ended suspensions included. Without any that is not written yet, the list is
 * bounded by the index of the changes.
 */
async function changedSince(db: MembersQueryable, since: Date, now: Date): Promise<Condition> {
	const ended = await listEndedSuspensions(db, since, now);
	const isWritten = sql<boolean>`updated_at >= ${since}`;
	return ended.length === 0 ? isWritten : sql`(${isWritten} or id = any (${[...ended]}::uuid[]))`;
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
