import {
	apiError,
	countedMax,
	type Page,
	type PageRequest,
	pageOf,
	rankedMax,
	type SortCriterion,
} from '@paddock/contract';
import { type QueryExecutorProvider, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { Queryable } from './database.ts';
import { errorCode } from './error-code.ts';
import { type CursorPosition, cursorOf, invalidCursor, positionOf } from './list-cursor.ts';
import { isAfter, type ListOrder, type OrderKey, orderedBy, orderKeys } from './list-order.ts';

interface ListParts<Schema, Field extends string, Row> {
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
	/** Whether the index of each filter has the keys too: they are read by the count, which is the only pass then. */
	readonly hasKeys?: boolean;
	/**
	 * Whether the rows are far apart along the index of the order, such as those of the future among all by `createdAt`: more
	 * than `countedMax` are sorted.
	 */
	readonly isScattered?: boolean;
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
	parts: ListParts<Schema, Field, Row>,
): Promise<Page<Row>> {
	const { request, sort, order, id = 'id' } = parts;
	const rank = sort === undefined ? parts.rank : undefined;
	const keys = orderKeys(sort, order, { rank, id });
	const position =
		request.cursor === undefined ? undefined : positionOf(request.cursor, request.scope, keys.length);
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
		isScattered: parts.isScattered ?? false,
		max: rank === undefined && parts.isSearch !== true ? countedMax : rankedMax,
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

interface List {
	readonly db: QueryExecutorProvider;
	readonly matching: SelectQueryBuilder<never, never, object>;
	readonly keys: readonly OrderKey[];
	readonly id: string;
	readonly position: CursorPosition | undefined;
	readonly request: PageRequest;
	readonly best: readonly RawBuilder<boolean>[];
	readonly isRanked: boolean;
	readonly foundIn: SelectQueryBuilder<never, never, object> | undefined;
	readonly countsCandidates: boolean;
	readonly isScattered: boolean;
	/** Matching rows that are read as candidates. */
	readonly max: number;
}

/** The id of a row and its keys as text. */
type KeyedRow = { readonly id: string } & Readonly<Record<`k${number}`, string | null>>;

interface PageRows {
	/** One more than the page if it is not the last one. */
	readonly rows: readonly KeyedRow[];
	readonly total: number;
	readonly isExact: boolean;
}

async function pageRows(list: List): Promise<PageRows> {
	const { position, request, isRanked, max } = list;
	try {
		if (position !== undefined && !isRanked && !(position.isExact && position.total <= max))
			return { ...position, rows: await alongIndex(list) };
		const { rows, counted } = await ofCandidates(list);
		if (counted <= max) return { rows, total: position?.total ?? counted, isExact: true };
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

// Without the table's name, `order by` would mean the text that is selected.
const keyName = (_: OrderKey, at: number) => sql.ref(`candidates.k${at}`);

interface Candidates {
	/** Empty if there are too many candidates, unless they are ranked. */
	readonly rows: readonly KeyedRow[];
	/** More than `max` if the candidates are not all. */
	readonly counted: number;
}

/** The page among the candidates, and their number. */
async function ofCandidates(list: List): Promise<Candidates> {
	const { db, keys, position, isRanked, max } = list;
	const { found, candidates, counted } = candidatesOf(list);
	const after = position === undefined ? sql`true` : isAfter(keys, position.values, keyName);
	// PostgreSQL computes the candidates only when it reads them, which the condition on the total prevents.
	const { rows } = await sql<Partial<KeyedRow> & { readonly counted: number }>`
		with ${found} candidates as materialized (${candidates}),
			total as materialized (select count(*) as counted from ${counted})
		select page.*, counted from total left join lateral (
			select id, ${textKeys(keys, keyName)} from candidates
			where ${isRanked ? sql`true` : sql`counted <= ${max}`} and ${after}
			${orderedBy(keys, keyName)} ${limitOf(list)}
		) as page on true`.execute(db);
	return {
		rows: rows.filter((row): row is KeyedRow & { counted: number } => row.id != null),
		counted: rows[0]?.counted ?? 0,
	};
}

/** Queries for the candidates, and for the rows that are counted. */
function candidatesOf({ matching, foundIn, keys, id, best, countsCandidates, max }: List) {
	const upToMax = (query: typeof matching) => {
		const parts = best.map((condition) => sql`(${query.where(condition).limit(bestMax)})`);
		return sql.join([sql`(${query.limit(max + 1)})`, ...parts], sql` union `);
	};
	const withKeys = (query: typeof matching) =>
		query.select([
			sql<string>`${sql.ref(id)}`.as('id'),
			...keys.map(({ expression }, at) => sql<unknown>`${expression}`.as(`k${at}`)),
		]);
	if (foundIn !== undefined) {
		const isFound = sql<boolean>`${sql.ref(id)} in (select found.id from found)`;
		return {
			found: sql`found as materialized (${upToMax(foundIn.select(sql<string>`id`.as('id')))}),`,
			candidates: withKeys(matching.clearWhere().where(isFound)),
			counted: sql`found`,
		};
	}
	const rows = sql`(${matching.select(sql`1`.as('one')).limit(max + 1)}) as rows`;
	return {
		found: sql``,
		candidates: upToMax(withKeys(matching)),
		counted: countsCandidates ? sql`candidates` : rows,
	};
}

async function alongIndex(list: List): Promise<readonly KeyedRow[]> {
	const { db, matching, keys, id, position, isScattered } = list;
	const idOfRow = sql<string>`${sql.ref(id)}`.as('id');
	if (isScattered) {
		// `offset` keeps the planner from the index of the order.
		const all = matching
			.select([idOfRow, ...keys.map(({ expression }, at) => sql`${expression}`.as(`k${at}`))])
			.offset(0);
		const { rows } = await sql<KeyedRow>`
			select id, ${textKeys(keys, keyName)} from (${all}) as candidates
			where ${position === undefined ? sql`true` : isAfter(keys, position.values, keyName)}
			${orderedBy(keys, keyName)} ${limitOf(list)}`.execute(db);
		return rows;
	}
	const after = position === undefined ? matching : matching.where(isAfter(keys, position.values));
	const page = after
		.select(idOfRow)
		.select(keys.map(({ expression }, at) => sql<string | null>`(${expression})::text`.as(`k${at}`)));
	const ordered = keys.reduce(
		(query, { expression, descending }) => query.orderBy(expression as never, descending ? 'desc' : 'asc'),
		page,
	);
	const { offset, size } = list.request;
	const rows = await ordered
		.limit(size + 1)
		.offset(position === undefined ? offset : 0)
		.execute();
	return rows as unknown as readonly KeyedRow[];
}

function textKeys(keys: readonly OrderKey[], expressionOf: typeof keyName): RawBuilder<unknown> {
	return sql.join(keys.map((key, at) => sql`${expressionOf(key, at)}::text as ${sql.ref(`k${at}`)}`));
}

function limitOf({ request: { size, offset }, position }: List): RawBuilder<unknown> {
	return sql`limit ${size + 1} offset ${position === undefined ? offset : 0}`;
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

/**
 * Whether the rows that match are at the end of the wanted order: those that have changed recently (or `isCurrent`, such as
 * those of the future), sorted by creation. Since longer ago, as in a first synchronisation, most rows match: all would be sorted
 * for each page.
 */
export function isRecent(
	{
		sort,
		updatedSince,
	}: {
		readonly sort?: readonly SortCriterion<string>[] | undefined;
		readonly updatedSince?: string | undefined;
	},
	isCurrent = false,
	nowMs = Date.now(),
): boolean {
	const [first] = sort ?? [];
	if (first === undefined || first.descending) return false;
	const isSinceRecently = updatedSince !== undefined && nowMs - Date.parse(updatedSince) <= recentMs;
	if (first.field === 'createdAt') return isCurrent || isSinceRecently;
	return isCurrent && first.field === 'updatedAt';
}
