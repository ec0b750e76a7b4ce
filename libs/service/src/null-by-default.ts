import type { z } from 'zod';

type NullByDefault<Shape extends Readonly<Record<string, z.ZodType>>> = {
	[Name in keyof Shape]: null extends z.output<Shape[Name]> ? z.ZodDefault<Shape[Name]> : Shape[Name];
};

/** The fields of a request body: one that may be null is null if it is left out. */
export function nullByDefault<Shape extends Readonly<Record<string, z.ZodType>>>(fields: Shape) {
	const entries = Object.entries(fields).map(([name, schema]) => [
		name,
		schema.safeParse(null).success ? schema.default(null) : schema,
	]);
	return Object.fromEntries(entries) as NullByDefault<Shape>;
}
