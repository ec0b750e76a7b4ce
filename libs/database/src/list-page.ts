import { type Page, type PageRequest, pageOf, type SortCriterion } from '@paddock/contract';
import { type Expression, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

/** The order of a list. */
export interface ListOrder<Field extends string> {
	/** As in the parameter `sort`: `-` for descending. */
	readonly defaultSort: readonly (Field | `-${Field}`)[];
	/** The fields that are sorted as people order text. */
	readonly alphabetical?: readonly Field[];
	/** The expressions of fields that are not sorted by the column of their name. */
	readonly expressions?: Readonly<Partial<Record<Field, Expression<unknown>>>>;
}

/** Orders by the criteria, or else by the default; the caller adds the tie-break. */
export function sorted<Schema, Table extends keyof Schema, Row, Field extends string>(
	query: SelectQueryBuilder<Schema, Table, Row>,
	criteria: readonly SortCriterion<Field>[] | undefined,
	{ defaultSort, alphabetical: texts = [], expressions }: ListOrder<NoInfer<Field>>,
): SelectQueryBuilder<Schema, Table, Row> {
	const wanted =
		criteria ??
		defaultSort.map((name) => ({
			field: name.replace(/^-/, '') as Field,
			descending: name.startsWith('-'),
		}));
	const expressionOf = (field: Field) => (texts.includes(field) ? alphabetical(field) : sql.ref(field));
	return wanted.reduce(
		(ordered, { field, descending }) =>
			ordered.orderBy(expressions?.[field] ?? expressionOf(field), descending ? 'desc' : 'asc'),
		query,
	);
}

/**
 * Text in alphabetical order for readers (Ö next to O), the same on every server: PostgreSQL's default order depends on
 * its locale.
 */
export function alphabetical(column: string): Expression<unknown> {
	return sql`${sql.ref(column)} collate "und-x-icu"`;
}

/**
 * One page of a list, and the total number of rows. A subquery counts, so that an index alone can serve the count and
 * the page is read along an index; a window function would read and sort every matching row in full.
 */
export function listPage<Schema, Table extends keyof Schema, Row, Item>(
	query: SelectQueryBuilder<Schema, Table, Row>,
	request: PageRequest,
	toItem: (row: Row) => Item,
): Promise<Page<Item>> {
	return countedPage(query, sql`${totalOf(query)}`, request, toItem);
}

/**
 * The same for ranked hits. Ranking reads all of them anyway, so a window function counts them; select few columns,
 * because every hit is sorted with them.
 */
export function rankedPage<Schema, Table extends keyof Schema, Row, Item>(
	query: SelectQueryBuilder<Schema, Table, Row>,
	request: PageRequest,
	toItem: (row: Row) => Item,
): Promise<Page<Item>> {
	return countedPage(query, sql<number>`count(*) over ()`, request, toItem);
}

/**
 * The rows of a page of ids, in its order; rows that were deleted since are left out. A list that selects only ids
 * filters, sorts and counts without carrying the other columns of all its rows.
 */
export async function rowsOfPage<Row extends { readonly id: string }>(
	{ items: ids, pagination }: Page<string>,
	find: (ids: readonly string[]) => Promise<readonly Row[]>,
): Promise<Page<Row>> {
	const rows = ids.length === 0 ? [] : await find(ids);
	const known = new Map(rows.map((row) => [row.id, row]));
	return { items: ids.flatMap((id) => known.get(id) ?? []), pagination };
}

async function countedPage<Schema, Table extends keyof Schema, Row, Item>(
	query: SelectQueryBuilder<Schema, Table, Row>,
	count: RawBuilder<number>,
	request: PageRequest,
	toItem: (row: Row) => Item,
): Promise<Page<Item>> {
	const rows = await query.select(count.as('total')).limit(request.size).offset(request.offset).execute();
	// Kysely can't name the added column while Row is a type parameter.
	const counted = rows as unknown as readonly (Row & { total: number })[];
	// After the last page no row contains the total.
	const [first] = counted.length > 0 || request.offset === 0 ? counted : await totalOf(query).execute();
	const items = counted.map(({ total, ...row }) => toItem(row as unknown as Row));
	return pageOf(items, first?.total ?? 0, request);
}

function totalOf<Schema, Table extends keyof Schema, Row>(query: SelectQueryBuilder<Schema, Table, Row>) {
	const count = query.clearSelect().clearOrderBy().select(sql<number>`count(*)`.as('total'));
	return count as unknown as SelectQueryBuilder<Schema, Table, { total: number }>;
}

/** The columns that each change of a record sets. */
export function changedAt(now: Date) {
	return { updatedAt: now, version: sql<number>`version + 1` };
}
