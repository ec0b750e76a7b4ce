import { apiError, type Page } from '@paddock/contract';
import {
	anyOf,
	isOneOf,
	isRecent,
	isSmall,
	listPage,
	matchesAny,
	recentSince,
	type TextQuery,
	textMatches,
	textQuery,
	wordsBegin,
} from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import type { MembersQueryable } from '../database-schema.ts';
import type { MemberQuery, MemberSearchQuery } from './query-schemas.ts';
import type { Viewer } from './rules.ts';
import { type MemberStatus, memberStatus, type WholeMember } from './schemas.ts';
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
	const { q, sort } = query;
	const request = pageRequest(query);
	if (q !== undefined && sort === undefined) return rankedMembers(db, { ...query, q }, viewer, now, request);
	const others = await matchingMembers(db, query, viewer, now);
	const page = {
		request,
		sort,
		order,
		since: recentSince(query),
		find: (ids: readonly string[]) => listMembersByIds(db, ids, now),
	};
	if (q === undefined) {
		const isFiltered = !viewer.isOffice || filters.some((name) => query[name] !== undefined);
		// More than can be sorted are counted without keys, in half the time.
		return listPage(db, others, { ...page, hasKeys: isFiltered || (await isSmall('members', db)) });
	}
	const hasText = hasTextOf({ ...query, q }, viewer);
	const isHit = sql<boolean>`(select ${hasText} from member_search hits where hits.id = candidates.id)`;
	const searched = { matching: others, isHit };
	const hits = searchHits(db, { ...query, q }, viewer, now);
	const search = { ...page, isSearch: true } as const;
	if (query.updatedSince === undefined)
		return listPage(db, db.selectFrom('members').where('id', 'in', hits.select('id')), {
			...search,
			foundIn: hits,
			searched,
		});
	// As hits of a recent change are near each other in its order already, they needn't be sorted.
	const mayBeFew = isRecent(query.updatedSince) && sort?.[0]?.field !== 'updatedAt';
	const isFound = sql<boolean>`id in (select found.id from member_search found where ${hasText})`;
	return listPage(db, others.where(isFound), { ...search, searched: { ...searched, mayBeFew } });
}

const filters = [
	'status',
	'membershipType',
	'clubId',
	'stateCode',
	'nationality',
	'feePaidForYear',
	'duplicateSuspected',
	'updatedSince',
] as const satisfies readonly (keyof MemberQuery)[];

/**
 * The planner would combine the index of a club's members with that of the texts, which reads all hits of a frequent word; an
 * expression is compared row by row.
 */
function hasTextOf(
	{ q, clubId }: Pick<MemberQuery, 'clubId'> & { readonly q: string },
	viewer: Viewer,
): Condition {
	const areFew = clubId !== undefined || !viewer.isOffice;
	const hasText = textMatches(areFew ? sql<string>`(search_text || '')` : 'searchText', textQuery(q));
	// Numbers follow each other in the table, so that the hits can all be at its end. Required twice, they are expected to be few, and found by index.
	return isIdentifier(q) && !areFew ? sql<boolean>`(${hasText} and ${hasText})` : hasText;
}

/** The members that match, apart from the time of their change, in the search table. */
function searchHits(
	db: MembersQueryable,
	query: MemberQuery & { readonly q: string },
	viewer: Viewer,
	now: Date,
) {
	return [...sharedConditions(query, viewer, now), hasTextOf(query, viewer)].reduce(
		(select, condition) => select.where(condition),
		db.selectFrom('memberSearch'),
	);
}

/** The members that match, whatever their text. */
async function matchingMembers(db: MembersQueryable, query: MemberQuery, viewer: Viewer, now: Date) {
	const { updatedSince } = query;
	const conditions = [
		...sharedConditions(query, viewer, now),
		...(updatedSince === undefined ? [] : [await changedSince(db, new Date(updatedSince), now)]),
	];
	return conditions.reduce((select, condition) => select.where(condition), db.selectFrom('members'));
}

const allStatuses = memberStatus.options;
const presentStatuses = allStatuses.filter((status) => status !== 'INACTIVE');

/** The statuses that a query selects, also by the parameters that `status` replaces. */
function wantedStatuses(
	{ status, includeInactive, activeOnly }: Partial<MemberQuery>,
	otherwise: readonly MemberStatus[],
): readonly MemberStatus[] {
	const byFlags = activeOnly === false ? presentStatuses : otherwise;
	const wanted = status ?? (includeInactive === true ? allStatuses : byFlags);
	return wanted
		.filter((each) => activeOnly !== true || each === 'ACTIVE')
		.filter((each) => includeInactive !== false || each !== 'INACTIVE');
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
	const present = { ...query, status: [...wantedStatuses(query, presentStatuses)] };
	if (query.sort !== undefined) return listMembers(db, present, viewer, now);
	return rankedMembers(db, present, viewer, now, pageRequest(query));
}

/** Ranks rows of the search table, which has the columns of all filters but the time of a change. */
async function rankedMembers(
	db: MembersQueryable,
	query: MemberQuery & { readonly q: string },
	viewer: Viewer,
	now: Date,
	request: ReturnType<typeof pageRequest>,
): Promise<Page<WholeMember>> {
	const text = textQuery(query.q);
	return listPage(db, await rankedHits(db, query, viewer, now), {
		request,
		sort: undefined,
		order: { defaultSort: ['sortName'] },
		rank: rank(query.q, text),
		best: bestOf(query.q, text),
		find: (ids) => listMembersByIds(db, ids, now),
	});
}

async function rankedHits(
	db: MembersQueryable,
	query: MemberQuery & { readonly q: string },
	viewer: Viewer,
	now: Date,
) {
	if (query.updatedSince === undefined) return searchHits(db, query, viewer, now);
	const others = (await matchingMembers(db, query, viewer, now)).select('members.id');
	return db.selectFrom('memberSearch').where('id', 'in', others).where(hasTextOf(query, viewer));
}

function bestOf(typed: string, text: TextQuery): Condition[] {
	return isIdentifier(typed) ? [matchesAny('searchText', text.whole)] : [];
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

/** Ended suspensions included; without any that is not written yet, the list is bounded by the index of the changes. */
async function changedSince(db: MembersQueryable, since: Date, now: Date): Promise<Condition> {
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
function sharedConditions(query: MemberQuery, viewer: Viewer, now: Date): Condition[] {
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
