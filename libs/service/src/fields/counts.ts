import { z } from 'zod';

/** A number of records. */
export const count = z.int().min(0).describe('Number of records.');

/**
 * A list of counts per value, such as `[{ status, count }]`. Not an object with a key per value: a generated client
 * can't name properties such as REGISTRATION_OPEN. `id` names the entry in the OpenAPI document.
 */
export function countsBy<const Key extends string, Value extends z.ZodType>(
	id: string,
	key: Key,
	value: Value,
) {
	const shape = { [key]: value, count };
	const entry = z.strictObject(shape as Record<Key, Value> & { count: typeof count });
	return z.array(entry.meta({ id, description: `Number of records per ${key}.` }));
}

/** The counts of all values, in their order. */
export function countList<const Key extends string, Value>(
	key: Key,
	values: readonly Value[],
	countOf: (value: Value) => number,
) {
	return values.map(
		(value) => ({ [key]: value, count: countOf(value) }) as Record<Key, Value> & { count: number },
	);
}
