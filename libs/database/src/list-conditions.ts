import type { SortCriterion } from '@paddock/contract';
import { type RawBuilder, sql } from 'kysely';

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
