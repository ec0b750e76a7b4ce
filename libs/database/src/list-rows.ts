import type { PageRequest } from '@paddock/contract';
import {
	type Expression,
	type QueryExecutorProvider,
	type RawBuilder,
	type SelectQueryBuilder,
	sql,
} from 'kysely';
import type { CursorPosition } from './list-cursor.ts';
import { isAfter, type OrderKey, orderedBy } from './list-order.ts';

type Rows = SelectQueryBuilder<never, never, object>;

/** Groups of the rows, each with its own index of the order: a page is in the groups with the first rows of all. */
export interface RowGroups {
	/** Selects the `id` of each group. */
	readonly ids: RawBuilder<unknown>;
	/** The column with the group's id. */
	readonly column: string;
	/** What the rows of these groups match, without the condition on the group. */
	readonly matching: Rows;
}

/** Of a search: rows are read in their order, and their text is compared, only as far as it pays. */
export interface SearchedRows {
	/** The rows, whatever their text. */
	readonly matching: Rows;
	/** Compares the row `candidates.id`; not `in`, for which the planner may find all hits first. */
	readonly isHit: RawBuilder<boolean>;
	/** Whether these rows may be few; if they are, they are sorted before their text is compared. */
	readonly mayBeFew?: boolean;
}

/** Of a search: its rows that begin with the text, which come first by rank but for the best. */
export interface Beginnings {
	readonly condition: RawBuilder<boolean>;
	/** Selects their ids in the order of the rank, from an index that has it and the columns of all filters. */
	readonly ids?: Expression<unknown> | undefined;
	/** The same in any order; `ids` by default. */
	readonly counted?: Expression<unknown> | undefined;
}

/** Rows of which the first ones are read by themselves: no index serves all rows of the list. */
interface RowPart {
	readonly matching: Rows;
	/** Whether they are few, and far apart along the index of the order. */
	readonly isSorted?: boolean;
}

/** The query of a list and what its page depends on. */
export interface List {
	readonly db: QueryExecutorProvider;
	readonly matching: Rows;
	readonly keys: readonly OrderKey[];
	readonly id: string;
	readonly position: CursorPosition | undefined;
	readonly request: PageRequest;
	readonly best: readonly RawBuilder<boolean>[];
	readonly isRanked: boolean;
	/** Whether the caller chose the order. */
	readonly isChosen: boolean;
	readonly foundIn: Rows | undefined;
	readonly countsCandidates: boolean;
	readonly owners: RawBuilder<unknown> | undefined;
	readonly beginnings: Beginnings | undefined;
	/** Each row is in one of them or more. */
	readonly parts: readonly RowPart[];
	readonly groups: RowGroups | undefined;
	readonly searched: SearchedRows | undefined;
	/** Of tied rows: all rows of the order that is walked, and which of them are tied. */
	readonly tie: Omit<SearchedRows, 'mayBeFew'> | undefined;
	/** Matching rows that are counted. */
	readonly max: number;
	/** Matching rows that are read as candidates. */
	readonly sortedMax: number;
	readonly countedAlong: readonly Expression<unknown>[];
	/** How many of the keys are the same in all rows. */
	readonly tied: number;
	/** The keys of the index that is read; the rows up to the end of the page are sorted by all keys. */
	readonly walked: readonly OrderKey[];
}

/** The id of a row and its keys as text. */
export type KeyedRow = { readonly id: string } & Readonly<Record<`k${number}`, string | null>>;

// Without the table's name, `order by` would mean the text that is selected.
export const keyName = (_: OrderKey, at: number) => sql.ref(`candidates.k${at}`);

/** The page of the selected rows, with their keys. The rows up to its end are found in the order that is walked: texts are compared no further. */
export async function sortedRows(
	list: List,
	selected: Expression<unknown>,
	condition: RawBuilder<boolean> = sql<boolean>`true`,
): Promise<readonly KeyedRow[]> {
	const { rows } = await sql<KeyedRow>`
		select id, ${textKeys(list.keys, keyName)} from (
			select * from (${selected}) as candidates
			where ${condition} ${orderedBy(list.walked, walkedNames(list, 'candidates'))} limit ${reachOf(list)}
		) as candidates ${orderedBy(list.keys, keyName)} ${limitOf(list)}`.execute(list.db);
	return rows;
}

/** The names of the walked keys, of which the last one is the id. */
export function walkedNames({ walked, keys }: List, table: string): typeof keyName {
	return (key, at) => sql.ref(`${table}.${at === walked.length - 1 ? 'id' : `k${keys.indexOf(key)}`}`);
}

/** The first rows after the position, up to the end of the page. */
export function firstRows(list: List, matching: Rows, count: number | RawBuilder<number> = reachOf(list)) {
	const ordered = list.walked.reduce(
		(query, { expression, descending }) => query.orderBy(expression as never, descending ? 'desc' : 'asc'),
		keyedRows(list, matching),
	);
	return ordered.limit(count);
}

/** The rows after the position, with their keys. */
export function keyedRows(list: List, matching: Rows) {
	const { keys, tied, position } = list;
	if (position === undefined) return withKeys(list, matching);
	return withKeys(list, matching.where(isAfter(keys.slice(tied), position.values.slice(tied))));
}

/** Selects the id, and the keys of the order as `k0`, `k1`, … */
export function withKeys({ keys, id }: List, query: Rows) {
	return query.select([
		sql<string>`${sql.ref(id)}`.as('id'),
		...keys.map(({ expression }, at) => sql<unknown>`${expression}`.as(`k${at}`)),
	]);
}

/** Rows up to the end of the page, and one more. */
export function reachOf({ request: { size, offset }, position }: List): number {
	return size + 1 + (position === undefined ? offset : 0);
}

/** Selects the keys as text, which a cursor can have. */
export function textKeys(keys: readonly OrderKey[], expressionOf: typeof keyName): RawBuilder<unknown> {
	return sql.join(keys.map((key, at) => sql`${expressionOf(key, at)}::text as ${sql.ref(`k${at}`)}`));
}

export function limitOf({ request: { size, offset }, position }: List): RawBuilder<unknown> {
	return sql`limit ${size + 1} offset ${position === undefined ? offset : 0}`;
}
