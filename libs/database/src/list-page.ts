import {
	apiError,
	countedMax,
	type Page,
	type PageRequest,
	pageOf,
	rankedMax,
	type SortCriterion,
} from '@paddock/contract';
import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Queryable } from './database.ts';
import { errorCode } from './error-code.ts';
import { type CursorPosition, cursorOf, invalidCursor, positionOf } from './list-cursor.ts';
import { isAfter, type ListOrder, orderedBy, orderKeys } from './list-order.ts';
import {
	alongIndex,
	type KeyedRow,
	keyName,
	type List,
	limitOf,
	type RowAlternatives,
	type RowGroups,
	type SearchedRows,
	textKeys,
	withKeys,
} from './list-rows.ts';

interface ListParts<Schema, Table extends keyof Schema, Field extends string, Row> {
	readonly request: PageRequest;
	readonly sort: readonly SortCriterion<Field>[] | undefined;
	readonly order: ListOrder<Field>;
	/** Of a search without `sort`: hits with a lower number come first. */
	readonly rank?: RawBuilder<number> | undefined;
	/** Of a search: hits that are ranked even if there are too many others. Each is selective, with an index. */
	readonly best?: readonly RawBuilder<boolean>[] | undefined;
	/** Whether to find a row costs more than to read it, as in a search: rows are found once, and counted with their keys, up to `rankedMax`. */
	readonly isSearch?: boolean;
	/** The same rows in another table, by their ids, if that one has the text: they are found and counted there, `best` too. */
	readonly foundIn?: SelectQueryBuilder<Schema, keyof Schema, object> | undefined;
	/** Of a search: records of another table, each with one row of the list or more. If these are too many, so are the rows, which are not counted then. */
	readonly owners?: RawBuilder<unknown> | undefined;
	/** Whether the index of each filter has the keys too: they are read by the count, which is the only pass then. */
	readonly hasKeys?: boolean;
	/**
	 * Of a table of few rows: matching rows that are sorted; of more, the page is read along the index of its order, which then has
	 * no long gaps. `countedMax` by default.
	 */
	readonly sortedMax?: number;
	/** The columns of an index with those of most filters: rows are counted in its order, which the whole table would have to be sorted in. */
	readonly countedAlong?: readonly string[];
	/** Of `recentSince`: rows created before it are sorted, those created since then are read along the index of the order. */
	readonly since?: Date | undefined;
	/** For rows that are far apart along the index of the order, and near each other in few groups. */
	readonly groups?: RowGroups | undefined;
	/** Of a search with an index on the text, whose hits can be far from where a page begins. */
	readonly searched?:
		| (Omit<SearchedRows, 'matching'> & { readonly matching: SelectQueryBuilder<Schema, Table, object> })
		| undefined;
	readonly alternatives?: RowAlternatives | undefined;
	/** `id` by default; with a table name if the query joins another one. */
	readonly id?: string;
	/** The rows of a page, in any order; missing ones are left out. */
	readonly find: (ids: readonly string[]) => Promise<readonly Row[]>;
}

/** Hits of each condition that are ranked in addition to the candidates, whatever the number of these. */
const bestMax = 200;

/**
 * One page of the rows that match, and their number up to `countedMax`, of a search up to `rankedMax`. Its cost does not
 * grow with the table:
 *
 * 1. Matching rows are counted up to that number, from an index alone if it has all columns of the condition. Up to that
 *    number they are candidates: read with nothing but their keys and sorted, which serves any filter, sort and rank.
 * 2. Otherwise the page is read along the index of its order: where that many rows match, it has no long gaps.
 * 3. A rank has no index. Of more hits than `rankedMax`, the candidates and the best hits are ranked.
 */
export async function listPage<
	Schema,
	Table extends keyof Schema,
	Row extends { readonly id: string },
	Field extends string,
>(
	db: Queryable<Schema>,
	matching: SelectQueryBuilder<Schema, Table, object>,
	parts: ListParts<Schema, Table, Field, Row>,
): Promise<Page<Row>> {
	const { request, sort, order, id = 'id' } = parts;
	const rank = sort === undefined ? parts.rank : undefined;
	const keys = orderKeys(sort, order, { rank, id });
	const position =
		request.cursor === undefined ? undefined : positionOf(request.cursor, request.scope, keys.length);
	const max = rank === undefined && parts.isSearch !== true ? countedMax : rankedMax;
	const list: List = {
		db,
		matching: matching as never,
		keys,
		id,
		position,
		request,
		best: (rank && parts.best) ?? [],
		isRanked: rank !== undefined,
		foundIn: parts.foundIn as never,
		countsCandidates:
			rank !== undefined || parts.hasKeys === true || (parts.isSearch ?? parts.rank !== undefined),
		since: parts.since,
		groups: parts.groups,
		searched: parts.searched as never,
		owners: rank === undefined ? parts.owners : undefined,
		alternatives: parts.alternatives,
		max,
		sortedMax: Math.min(max, parts.sortedMax ?? max),
		countedAlong: parts.countedAlong ?? [],
	};
	const { rows, total, isExact } = await pageRows(list);
	const before = position?.before ?? request.offset;
	const shown = rows.slice(0, request.size);
	const last = rows.length > request.size ? shown.at(-1) : undefined;
	const next: CursorPosition | undefined = last && {
		values: keys.map((_, at) => last[`k${at}`] ?? null),
		before: before + shown.length,
		total,
		isExact,
	};
	const found = shown.length === 0 ? [] : await parts.find(shown.map((row) => row.id));
	const known = new Map(found.map((row) => [row.id, row]));
	const result = {
		before,
		totalElements: total,
		totalIsExact: isExact,
		nextCursor: next && cursorOf(request.scope, next),
	};
	return pageOf(
		shown.flatMap((row) => known.get(row.id) ?? []),
		request.size,
		result,
	);
}

interface PageRows {
	/** One more than the page if it is not the last one. */
	readonly rows: readonly KeyedRow[];
	readonly total: number;
	readonly isExact: boolean;
}

async function pageRows(list: List): Promise<PageRows> {
	const { position, request, isRanked, max, sortedMax } = list;
	try {
		if (position !== undefined && !isRanked && !(position.isExact && position.total <= sortedMax))
			return { ...position, rows: await alongIndex(list) };
		const { rows, counted } = await ofCandidates(list);
		if (counted <= max) {
			const isSorted = isRanked || counted <= sortedMax;
			const page = isSorted ? rows : await alongIndex(list);
			return { rows: page, total: position?.total ?? counted, isExact: true };
		}
		if (position === undefined) requireWithinReach(list);
		const isExact = position?.isExact ?? request.exactTotal === true;
		const total = position?.total ?? (isExact ? await countAll(list) : max);
		return { rows: isRanked ? rows : await alongIndex(list), total, isExact };
	} catch (error) {
		// Class 22: a value of the cursor is none of its column.
		if (position !== undefined && errorCode(error)?.startsWith('22') === true) throw invalidCursor(error);
		throw error;
	}
}

/** @throws ApiError INVALID_QUERY_PARAMETER for a page by number that only a cursor reaches, or none */
function requireWithinReach({ request: { offset, size }, isRanked, max }: List): void {
	if (offset + size <= max) return;
	const message = isRanked
		? `must not reach beyond record ${max} of a search; more words find fewer records`
		: `must not reach beyond record ${max} of this list; its pages' nextCursor does`;
	throw apiError('INVALID_QUERY_PARAMETER', {
		errors: [{ field: 'page', code: 'INVALID_RANGE', message }],
	});
}

interface Candidates {
	/** Empty if there are too many candidates to sort, unless they are ranked. */
	readonly rows: readonly KeyedRow[];
	/** More than `max` if the candidates are not all. */
	readonly counted: number;
}

/** The page among the candidates, and their number. */
async function ofCandidates(list: List): Promise<Candidates> {
	const { db, keys, position, isRanked, sortedMax, owners, max } = list;
	if (owners !== undefined && (await hasMore(db, owners, max))) return { rows: [], counted: max + 1 };
	const { found, candidates, counted } = candidatesOf(list);
	const after = position === undefined ? sql`true` : isAfter(keys, position.values, keyName);
	// PostgreSQL computes the candidates only when it reads them, which the condition on the total prevents.
	const { rows } = await sql<Partial<KeyedRow> & { readonly counted: number }>`
		with ${found} candidates as materialized (${candidates}),
			total as materialized (select count(*) as counted from ${counted})
		select page.*, counted from total left join lateral (
			select id, ${textKeys(keys, keyName)} from candidates
			where ${isRanked ? sql`true` : sql`counted <= ${sortedMax}`} and ${after}
			${orderedBy(keys, keyName)} ${limitOf(list)}
		) as page on true`.execute(db);
	return {
		rows: rows.filter((row): row is KeyedRow & { counted: number } => row.id != null),
		counted: rows[0]?.counted ?? 0,
	};
}

/** Queries for the candidates, and for the rows that are counted. */
function candidatesOf(list: List) {
	const { matching, foundIn, id, best, countsCandidates, countedAlong, max } = list;
	const upToMax = (query: typeof matching) => {
		const parts = best.map((condition) => sql`(${query.where(condition).limit(bestMax)})`);
		return sql.join([sql`(${query.limit(max + 1)})`, ...parts], sql` union `);
	};
	if (foundIn !== undefined) {
		const isFound = sql<boolean>`${sql.ref(id)} in (select found.id from found)`;
		return {
			found: sql`found as materialized (${upToMax(foundIn.select(sql<string>`id`.as('id')))}),`,
			candidates: withKeys(list, matching.clearWhere().where(isFound)),
			counted: sql`found`,
		};
	}
	const along = countedAlong.reduce((query, column) => query.orderBy(sql.ref(column)), matching);
	const rows = sql`(${along.select(sql`1`.as('one')).limit(max + 1)}) as rows`;
	return {
		found: sql``,
		candidates: upToMax(withKeys(list, matching)),
		counted: countsCandidates ? sql`candidates` : rows,
	};
}

async function hasMore(db: List['db'], selected: RawBuilder<unknown>, max: number): Promise<boolean> {
	const { rows } = await sql<{ readonly counted: number }>`
		select count(*) as counted from (${selected} limit ${max + 1}) as selected`.execute(db);
	return (rows[0]?.counted ?? 0) > max;
}

async function countAll({ db, matching }: List): Promise<number> {
	const { rows } = await sql<{ readonly total: number }>`
		select count(*) as total from ${matching.select(sql<number>`1`.as('one'))} as counted`.execute(db);
	return rows[0]?.total ?? 0;
}

/** The columns that each change of a record sets. */
export function changedAt(now: Date) {
	return { updatedAt: now, version: sql<number>`version + 1` };
}

/** Condition: the column has one of the values. */
export function isOneOf(column: string, values: readonly string[]): RawBuilder<boolean> {
	const [first, ...others] = values;
	// Equality, so that an index with further columns gives the order of the list.
	if (first !== undefined && others.length === 0) return sql<boolean>`${sql.ref(column)} = ${first}`;
	return sql<boolean>`${sql.ref(column)} = any (${[...values]})`;
}

/** Condition: one of the conditions. */
export function anyOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
	return conditions.length === 0 ? sql<boolean>`false` : sql<boolean>`(${sql.join(conditions, sql` or `)})`;
}

/** Condition: the record has changed at that instant or later; ISO 8601. */
export function hasChangedSince(instant: string, column = 'updatedAt'): RawBuilder<boolean> {
	return sql<boolean>`${sql.ref(column)} >= ${new Date(instant)}`;
}

const recentMs = 30 * 24 * 3_600_000;

/** Whether few rows of a large table have changed since then. */
export function isRecent(updatedSince: string | undefined, nowMs = Date.now()): updatedSince is string {
	return updatedSince !== undefined && nowMs - Date.parse(updatedSince) <= recentMs;
}

/**
 * If rows that have changed recently are sorted by creation, since when: most are at the end of the order, others anywhere. Since
 * longer ago, as in a first synchronisation, most rows match: the others would be sorted for each page.
 */
export function recentSince(
	{
		sort,
		updatedSince,
	}: {
		readonly sort?: readonly SortCriterion<string>[] | undefined;
		readonly updatedSince?: string | undefined;
	},
	nowMs = Date.now(),
): Date | undefined {
	const [first] = sort ?? [];
	if (first === undefined || first.descending || first.field !== 'createdAt') return undefined;
	return isRecent(updatedSince, nowMs) ? new Date(updatedSince) : undefined;
}
