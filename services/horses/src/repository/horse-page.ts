import { type Page, type PageRequest, pageOf } from '@paddock/contract';
import { alphabetical, type Ordering } from '@paddock/database';
import { type SelectQueryBuilder, sql } from 'kysely';
import type { HorseRow, HorsesSchema } from '../database-schema.ts';
import type { horseSortFields } from '../schemas/horse-query.ts';

export type HorseSelect<Row = object> = SelectQueryBuilder<HorsesSchema, 'horses', Row>;

export const horseOrdering: Ordering<(typeof horseSortFields)[number]> = {
	name: alphabetical('name'),
	birthYear: sql.ref('birth_year'),
	breed: alphabetical('breed'),
	sex: sql.ref('sex'),
	registeredOn: sql.ref('registered_on'),
	createdAt: sql.ref('created_at'),
	updatedAt: sql.ref('updated_at'),
};

/**
 * One page of the horses that `matching` selects. They are counted beside the page and not by a window over it, for which
 * the server would read and sort every record whole; so it walks along an index to the end of the page.
 */
export async function pageOfRows(
	matching: HorseSelect,
	order: (select: HorseSelect<HorseRow>) => HorseSelect<HorseRow>,
	request: PageRequest,
): Promise<Page<HorseRow>> {
	const rows = await order(matching.selectAll())
		.orderBy('id')
		.select(countOf(matching).as('total'))
		.limit(request.size)
		.offset(request.offset)
		.execute();
	return pageOf(rows, rows[0]?.total ?? (await countAll(matching, request)), request);
}

/** How many a page without any row leaves behind it. */
export async function countAll(matching: HorseSelect, { offset }: PageRequest): Promise<number> {
	if (offset === 0) return 0;
	const { total } = await countOf(matching).executeTakeFirstOrThrow();
	return total;
}

function countOf(matching: HorseSelect): HorseSelect<{ total: number }> {
	return matching.select(sql<number>`count(*)`.as('total'));
}
