import {
	apiError,
	countedMax,
	invalidCursor,
	type Page,
	type PageRequest,
	pageOf,
	rankedMax,
	type SortCriterion,
} from '@paddock/contract';
import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Queryable } from './database.ts';
import { errorCode } from './error-code.ts';
import { ofCandidates } from './list-candidates.ts';
import { type CursorPosition, cursorOf, positionOf } from './list-cursor.ts';
import { type ListOrder, type OrderKey, orderKeys } from './list-order.ts';
import type { Beginnings, KeyedRow, List, RowGroups, SearchedRows } from './list-rows.ts';
import { inOrder } from './list-walk.ts';
import { prepared } from './prepared-statements.ts';

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
	/** Of a search: if those of an index are too many, so are the rows, which are not counted then. */
	readonly beginnings?: Beginnings | undefined;
	/** Whether the index of each filter has the keys too: they are read by the count, which is the only pass then. */
	readonly hasKeys?: boolean;
	/**
	 * Of a table of few rows: matching rows that are sorted; of more, the page is read along the index of its order, which then has
	 * no long gaps. `countedMax` by default.
	 */
	readonly sortedMax?: number;
	/** The keys of an index that serves the filter: rows are counted, and candidates read, in its order, in which the whole table would have to be sorted. */
	readonly countedAlong?: readonly Expression<unknown>[];
	/** Of `recentSince`: rows created before it are sorted, those created since then are read along the index of the order. */
	readonly since?: Date | undefined;
	/** For rows that are far apart along the index of the order, and near each other in few groups. */
	readonly groups?: RowGroups | undefined;
	/** Of a search with an index on the text, whose hits can be far from where a page begins. */
	readonly searched?:
		| (Omit<SearchedRows, 'matching'> & { readonly matching: SelectQueryBuilder<Schema, Table, object> })
		| undefined;
	/** For rows that meet one of several conditions of which no index serves all; what all match without these. */
	readonly alternatives?:
		| {
				readonly conditions: readonly RawBuilder<boolean>[];
				readonly matching: SelectQueryBuilder<Schema, Table, object>;
		  }
		| undefined;
	/** `id` by default; with a table name if the query joins another one. */
	readonly id?: string;
	/** The rows of a page, in any order; missing ones are left out. */
	readonly find: (ids: readonly string[]) => Promise<readonly Row[]>;
}

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
		isChosen: sort !== undefined,
		foundIn: parts.foundIn as never,
		countsCandidates: parts.rank !== undefined || parts.hasKeys === true || parts.isSearch === true,
		parts: partsOf(matching, keys[0], parts) as never,
		tied: 0,
		tie: undefined,
		walked: keys,
		groups: parts.groups,
		searched: parts.searched as never,
		owners: rank === undefined ? parts.owners : undefined,
		beginnings: parts.beginnings,
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
	const found = shown.length === 0 ? [] : await prepared(() => parts.find(shown.map((row) => row.id)));
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

/** Rows that an index of their own serves. */
function partsOf<Schema, Table extends keyof Schema>(
	matching: SelectQueryBuilder<Schema, Table, object>,
	first: OrderKey | undefined,
	{ since, alternatives }: Pick<ListParts<Schema, Table, string, never>, 'since' | 'alternatives'>,
) {
	if (since !== undefined && first !== undefined) {
		const is = (operator: '<' | '>=') =>
			matching.where(sql<boolean>`${first.expression} ${sql.raw(operator)} ${since}`);
		return [{ matching: is('<'), isSorted: true }, { matching: is('>=') }];
	}
	if (alternatives === undefined) return [{ matching }];
	const { conditions, matching: all } = alternatives;
	return conditions.map((condition) => ({ matching: all.where(condition) }));
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
			return { ...position, rows: await inOrder(list) };
		const { rows, counted } = await ofCandidates(list);
		if (counted <= max) {
			const isSorted = isRanked || counted <= sortedMax;
			const page = isSorted ? rows : await inOrder(list);
			return { rows: page, total: position?.total ?? counted, isExact: true };
		}
		if (position === undefined) requireWithinReach(list);
		const isExact = position?.isExact ?? request.exactTotal === true;
		const total = position?.total ?? (isExact ? await countAll(list) : max);
		return { rows: isRanked ? rows : await inOrder(list), total, isExact };
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

async function countAll({ db, matching }: List): Promise<number> {
	const { rows } = await sql<{ readonly total: number }>`
		select count(*) as total from ${matching.select(sql<number>`1`.as('one'))} as counted`.execute(db);
	return rows[0]?.total ?? 0;
}
