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

/** One page and the number of all rows, in one query as long as the page holds any row. */
export async function listPage<Schema, Table extends keyof Schema, Row, Item>(
	query: SelectQueryBuilder<Schema, Table, Row>,
	request: PageRequest,
	toItem: (row: Row) => Item,
): Promise<Page<Item>> {
	const rows = await query
		.select(sql<number>`count(*) over ()`.as('total_elements'))
		.limit(request.size)
		.offset(request.offset)
		.execute();
	// Kysely can't name the added column while Row is a type parameter.
	const first = rows[0] as { total_elements: number } | undefined;
	const total = first?.total_elements ?? (request.offset === 0 ? 0 : await countAll(query));
	return pageOf(
		rows.map((row) => toItem(row as Row)),
		total,
		request,
	);
}

async function countAll<Schema, Table extends keyof Schema, Row>(
	query: SelectQueryBuilder<Schema, Table, Row>,
): Promise<number> {
	const counted = query.clearSelect().clearOrderBy().select(sql<number>`count(*)`.as('total'));
	const { total } = (await counted.executeTakeFirstOrThrow()) as { total: number };
	return total;
}
