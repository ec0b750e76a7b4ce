import { type RawBuilder, sql } from 'kysely';

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
