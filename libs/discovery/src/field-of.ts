/** A property of a JSON value; undefined if the value isn't an object or lacks it. */
export function fieldOf(value: unknown, key: string): unknown {
	if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined;
	return (value as Record<string, unknown>)[key];
}
