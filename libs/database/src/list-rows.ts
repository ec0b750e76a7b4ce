import { countedMax, type PageRequest } from '@paddock/contract';
import {
	type Expression,
	type QueryExecutorProvider,
	type RawBuilder,
	type SelectQueryBuilder,
	sql,
} from 'kysely';
import type { CursorPosition } from './list-cursor.ts';
import { isAfter, type OrderKey, orderedBy } from './list-order.ts';

/** Groups of the rows, each with its own index of the order: a page is in the groups with the first rows of all. */
export interface RowGroups {
	/** Selects the `id` of each group. */
	readonly ids: RawBuilder<unknown>;
	/** The column with the group's id. */
	readonly column: string;
	/** What the rows of these groups match, without the condition on the group. */
	readonly matching: SelectQueryBuilder<never, never, object>;
}

/** Of a search: rows are read in their order, and their text is compared, only as far as it pays. */
export interface SearchedRows {
	/** The rows, whatever their text. */
	readonly matching: SelectQueryBuilder<never, never, object>;
	/** Compares the row `candidates.id`; not `in`, for which the planner may find all hits first. */
	readonly isHit: RawBuilder<boolean>;
	/** Whether these rows may be few; if they are, they are sorted before their text is compared. */
	readonly mayBeFew?: boolean;
}

/** For rows that meet one of several conditions of which no index serves all: a page is in the first rows of each. */
export interface RowAlternatives {
	readonly conditions: readonly RawBuilder<boolean>[];
	/** What all rows match, without these conditions. */
	readonly matching: SelectQueryBuilder<never, never, object>;
}

/** The query of a list and what its page depends on. */
export interface List {
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
	readonly since: Date | undefined;
	readonly groups: RowGroups | undefined;
	readonly searched: SearchedRows | undefined;
	readonly owners: RawBuilder<unknown> | undefined;
	readonly alternatives: RowAlternatives | undefined;
	/** Matching rows that are counted. */
	readonly max: number;
	/** Matching rows that are read as candidates. */
	readonly sortedMax: number;
	readonly countedAlong: readonly string[];
}

/** The id of a row and its keys as text. */
export type KeyedRow = { readonly id: string } & Readonly<Record<`k${number}`, string | null>>;

// Without the table's name, `order by` would mean the text that is selected.
export const keyName = (_: OrderKey, at: number) => sql.ref(`candidates.k${at}`);

/** How many rows are compared with a text along the index of the order: hits can be far from where a page begins. */
const comparedMax = 10_000;

/** The page, read along the index of its order, and one row more if it is not the last one. */
export async function alongIndex(list: List): Promise<readonly KeyedRow[]> {
	const { matching, keys, id, position, since, groups, searched, alternatives } = list;
	const [first] = keys;
	const page = searched?.mayBeFew === true ? await amongFew(list, searched) : undefined;
	if (page !== undefined) return page;
	if (groups !== undefined) return await sortedRows(list, ofGroups(list, groups));
	if (since !== undefined && first !== undefined) {
		// `offset` keeps the planner from the index of the order.
		const before = keyedRows(list, matching.where(sql<boolean>`${first.expression} < ${since}`)).offset(0);
		const after = firstRows(list, matching.where(sql<boolean>`${first.expression} >= ${since}`));
		return await sortedRows(list, sql`(${before}) union all (${after})`);
	}
	if (alternatives !== undefined) {
		const firsts = alternatives.conditions.map(
			(condition) => sql`(${firstRows(list, alternatives.matching.where(condition))})`,
		);
		return await sortedRows(list, sql.join(firsts, sql` union `));
	}
	if (searched !== undefined) {
		// A number that the planner does not know: for so many rows of a smaller table it would sort them all, before the first is compared.
		const inReach = inOrder(keyedRows(list, searched.matching), keys).limit(
			sql<number>`(select ${comparedMax}::int)`,
		);
		const near = await sortedRows(list, inReach, searched.isHit);
		// `offset` keeps the planner from the index of the order.
		return near.length > list.request.size
			? near
			: await sortedRows(list, keyedRows(list, matching).offset(0));
	}
	const after = position === undefined ? matching : matching.where(isAfter(keys, position.values));
	const selected = after
		.select(sql<string>`${sql.ref(id)}`.as('id'))
		.select(keys.map(({ expression }, at) => sql<string | null>`(${expression})::text`.as(`k${at}`)));
	const { offset, size } = list.request;
	const rows = await inOrder(selected, keys)
		.limit(size + 1)
		.offset(position === undefined ? offset : 0)
		.execute();
	return rows as unknown as readonly KeyedRow[];
}

/** The page, if there are few rows: along the index of the order these would be far apart. */
async function amongFew(
	list: List,
	{ matching, isHit }: SearchedRows,
): Promise<readonly KeyedRow[] | undefined> {
	const { db, keys, position } = list;
	const after = position === undefined ? sql`true` : isAfter(keys, position.values, keyName);
	// `offset` keeps the order, in which texts are compared until the page is complete.
	const { rows } = await sql<Partial<KeyedRow> & { readonly counted: number }>`
		with few as materialized (${withKeys(list, matching).limit(countedMax + 1)}),
			total as materialized (select count(*) as counted from few)
		select page.*, counted from total left join lateral (
			select id, ${textKeys(keys, keyName)} from (
				select * from few as candidates where counted <= ${countedMax} and ${after}
				${orderedBy(keys, keyName)} offset 0
			) as candidates
			where ${isHit} ${orderedBy(keys, keyName)} ${limitOf(list)}
		) as page on true`.execute(db);
	if ((rows[0]?.counted ?? 0) > countedMax) return undefined;
	return rows.filter((row): row is KeyedRow & { counted: number } => row.id != null);
}

/** The rows of the page, among those of the groups that begin first. */
function ofGroups(list: List, { ids, column, matching }: RowGroups): RawBuilder<unknown> {
	const rowsOf = (group: RawBuilder<unknown>, count?: number) =>
		firstRows(list, matching.where(sql<boolean>`${sql.ref(column)} = ${group}`), count);
	const named = (_: OrderKey, at: number) => sql.ref(`beginnings.k${at}`);
	return sql`
		select page.* from (
			select groups.id as group_id from (${ids}) as groups
				cross join lateral (${rowsOf(sql`groups.id`, 1)}) as beginnings
			${orderedBy(list.keys, named)} limit ${reachOf(list)}
		) as nearest cross join lateral (${rowsOf(sql`nearest.group_id`)}) as page`;
}

/** The page of the selected rows, with their keys. */
async function sortedRows(
	list: List,
	selected: Expression<unknown>,
	condition: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<readonly KeyedRow[]> {
	const { rows } = await sql<KeyedRow>`
		select id, ${textKeys(list.keys, keyName)} from (${selected}) as candidates
		where ${condition} ${orderedBy(list.keys, keyName)} ${limitOf(list)}`.execute(list.db);
	return rows;
}

/** The first rows after the position, up to the end of the page. */
function firstRows(list: List, matching: List['matching'], count = reachOf(list)) {
	return inOrder(keyedRows(list, matching), list.keys).limit(count);
}

/** The rows after the position, with their keys. */
function keyedRows(list: List, matching: List['matching']) {
	const { keys, position } = list;
	return withKeys(list, position === undefined ? matching : matching.where(isAfter(keys, position.values)));
}

/** Selects the id, and the keys of the order as `k0`, `k1`, … */
export function withKeys({ keys, id }: List, query: List['matching']) {
	return query.select([
		sql<string>`${sql.ref(id)}`.as('id'),
		...keys.map(({ expression }, at) => sql<unknown>`${expression}`.as(`k${at}`)),
	]);
}

function inOrder<Row>(query: SelectQueryBuilder<never, never, Row>, keys: readonly OrderKey[]) {
	return keys.reduce(
		(ordered, { expression, descending }) =>
			ordered.orderBy(expression as never, descending ? 'desc' : 'asc'),
		query,
	);
}

/** Rows up to the end of the page, and one more. */
function reachOf({ request: { size, offset }, position }: List): number {
	return size + 1 + (position === undefined ? offset : 0);
}

/** Selects the keys as text, which a cursor can have. */
export function textKeys(keys: readonly OrderKey[], expressionOf: typeof keyName): RawBuilder<unknown> {
	return sql.join(keys.map((key, at) => sql`${expressionOf(key, at)}::text as ${sql.ref(`k${at}`)}`));
}

export function limitOf({ request: { size, offset }, position }: List): RawBuilder<unknown> {
	return sql`limit ${size + 1} offset ${position === undefined ? offset : 0}`;
}
