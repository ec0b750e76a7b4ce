import { type Page, type PageRequest, pageOf, type SortCriterion } from '@paddock/contract';
import { type Expression, type SelectQueryBuilder, sql } from 'kysely';

/** What each field of a sort whitelist orders by. */
export type Ordering<Field extends string> = Readonly<Record<Field, Expression<unknown>>>;

/** Orders by the criteria, or by the default ones; the caller adds the tie-break. */
export function sorted<Schema, Table extends keyof Schema, Row, Field extends string>(
	query: SelectQueryBuilder<Schema, Table, Row>,
	criteria: readonly SortCriterion<Field>[],
	ordering: Ordering<Field>,
): SelectQueryBuilder<Schema, Table, Row> {
	return criteria.reduce(
		(ordered, { field, descending }) => ordered.orderBy(ordering[field], descending ? 'desc' : 'asc'),
		query,
	);
}

/** Text as people order it (Ö beside O), the same on every server: PostgreSQL's own order depends on its locale. */
export function alphabetical(column: string): Expression<unknown> {
	return sql`${sql.ref(column)} collate "und-x-icu"`;
}

/**
 * One page of a query, and the number of all its rows. Two queries at once, as `count(*) over ()` would fetch every
 * matching row of a large table; the count leaves out columns and order, so that an index alone can serve it.
 */
export async function listPage<Schema, Table extends keyof Schema, Row, Item>(
	query: SelectQueryBuilder<Schema, Table, Row>,
	request: PageRequest,
	toItem: (row: Row) => Item,
): Promise<Page<Item>> {
	const count = query.clearSelect().clearOrderBy().select(sql<number>`count(*)`.as('total'));
	const [rows, counted] = await Promise.all([
		query.limit(request.size).offset(request.offset).execute(),
		count.executeTakeFirstOrThrow(),
	]);
	// Kysely can't name the added column while Row is a type parameter.
	const { total } = counted as { total: number };
	return pageOf(
		rows.map((row) => toItem(row)),
		total,
		request,
	);
}
