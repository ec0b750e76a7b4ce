import { countedMax, type SortCriterion } from '@paddock/contract';
import { type QueryExecutorProvider, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';

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

const sampled = 1_000;
/** Of a text: from here on the index of texts takes longer than to compare the rows that meet another condition. */
export const frequentShare = 0.03;

/** The share of a table's first rows that meet the condition, by which a way to all of them is chosen. */
export async function shareOf<Schema, Table extends keyof Schema>(
	rows: SelectQueryBuilder<Schema, Table, object>,
	condition: RawBuilder<boolean>,
	db: QueryExecutorProvider,
): Promise<number> {
	const sample = rows.select(condition.as('is_hit')).limit(sampled);
	const { rows: found } = await sql<{ readonly share: number }>`
		select coalesce(avg(is_hit::int), 0)::float8 as share from (${sample}) as sample`.execute(db);
	return found[0]?.share ?? 0;
}

/** The number of a table's rows by its statistics; 0 without them. */
export async function expectedRows(table: string, db: QueryExecutorProvider): Promise<number> {
	const { rows } = await sql<{ readonly rows: number }>`
		select greatest(reltuples, 0) as rows from pg_class where oid = ${table}::regclass`.execute(db);
	return rows[0]?.rows ?? 0;
}

/** Whether all rows of a table can be sorted for a page, by its statistics; it is small without them. */
export async function isSmall(table: string, db: QueryExecutorProvider): Promise<boolean> {
	return (await expectedRows(table, db)) <= countedMax;
}

/** In a form that no index serves: each row is compared. An index of texts would read all rows with a frequent text. */
export function compared(condition: RawBuilder<boolean>): RawBuilder<boolean> {
	return sql<boolean>`(${condition} is true)`;
}

/**
 * The same, of the rows that meet all conditions of one operation, as this one counts as three. The planner expects a third of the rows,
 * whatever the condition: not for a list whose order depends on how many are expected.
 */
export function comparedLast(condition: RawBuilder<boolean>): RawBuilder<boolean> {
	return sql<boolean>`((${condition})::int > 0)`;
}
