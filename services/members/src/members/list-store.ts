import { type Page, rankedMax } from '@paddock/contract';
import {
	comparedLast,
	expectedRows,
	frequentShare,
	isRecent,
	isSmall,
	listPage,
	matchesAny,
	recentSince,
	shareOf,
	type TextQuery,
	textMatches,
	textQuery,
	wordsBegin,
} from '@paddock/database';
import { pageRequest } from '@paddock/service';
import { type RawBuilder, sql } from 'kysely';
import type { MembersQueryable } from '../database-schema.ts';
import {
	type Condition,
	changedSince,
	presentStatuses,
	sharedConditions,
	wantedStatuses,
} from './conditions.ts';
import type { MemberQuery, MemberSearchQuery } from './query-schemas.ts';
import type { Viewer } from './rules.ts';
import type { WholeMember } from './schemas.ts';
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
function hasTextOf(query: Pick<MemberQuery, 'clubId'> & { readonly q: string }, viewer: Viewer): Condition {
	const isOfFew = areFew(query, viewer);
	return textMatches(isOfFew ? sql<string>`(search_text || '')` : 'searchText', textQuery(query.q));
}

function areFew({ clubId }: Pick<MemberQuery, 'clubId'>, { isOffice }: Viewer): boolean {
	return clubId !== undefined || !isOffice;
}

/** The members that match, apart from the time of their change, in the search table. */
function searchHits(
	db: MembersQueryable,
	query: MemberQuery & { readonly q: string },
	viewer: Viewer,
	now: Date,
	hasText = hasTextOf(query, viewer),
) {
	return [...sharedConditions(query, viewer, now), hasText].reduce(
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
	const hasText = hasTextOf(query, viewer);
	if (query.updatedSince === undefined) {
		if (areFew(query, viewer)) return searchHits(db, query, viewer, now);
		const isFrequent = await areFrequent(db, [...sharedConditions(query, viewer, now), hasText]);
		// Numbers follow each other in the table, so that all hits can be at its end. Required twice, they are expected to be few, and found by index.
		const ofNumber = () => (isFrequent ? hasText : sql<boolean>`(${hasText} and ${hasText})`);
		const ofText = () => (isFrequent ? comparedLast(hasText) : hasText);
		return searchHits(db, query, viewer, now, /^[\d\s]+$/.test(query.q) ? ofNumber() : ofText());
	}
	const others = (await matchingMembers(db, query, viewer, now)).select('members.id');
	return db.selectFrom('memberSearch').where('id', 'in', others).where(hasText);
}

/** Whether the hits that are ranked are near the beginning of the table: an index of the text would read all of it first. */
async function areFrequent(db: MembersQueryable, conditions: readonly Condition[]): Promise<boolean> {
	const isHit = sql<boolean>`(${sql.join(conditions, sql` and `)})`;
	const share = await shareOf(db.selectFrom('memberSearch'), isHit, db);
	return share >= frequentShare && share * (await expectedRows('member_search', db)) > 2 * rankedMax;
}

function bestOf(typed: string, text: TextQuery): Condition[] {
	return isIdentifier(typed) ? [matchesAny('searchText', text.whole)] : [];
}

/** Only text with a digit, or with something before and after an @, can be a number or an e-mail address; a domain alone is in many. */
function isIdentifier(typed: string): boolean {
	return /\d|[^\s@]@[^\s@]/.test(typed);
}

function rank(typed: string, text: TextQuery): RawBuilder<number> {
	const isWhole = isIdentifier(typed) ? matchesAny('searchText', text.whole) : sql<boolean>`false`;
	return sql`case when ${isWhole} then 0 when ${wordsBegin('searchText', text)} then 1 else 2 end`;
}
