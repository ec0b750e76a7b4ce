import type { z } from 'zod';

type Fields = Readonly<Record<string, z.ZodType>>;
type Defaults<Shape extends Fields> = { readonly [Name in keyof Shape]?: z.output<Shape[Name]> };

type BodyFields<Shape extends Fields, Given> = {
	[Name in keyof Shape]: Name extends keyof Given
		? z.ZodDefault<Shape[Name]>
		: null extends z.output<Shape[Name]>
			? z.ZodDefault<Shape[Name]>
			: Shape[Name];
};

/**
 * The fields of the body of POST and PUT. One that is left out gets its default, on PUT too: the given one, or null if it
 * may be null; other fields are required.
 */
export function bodyFields<Shape extends Fields, const Given extends Defaults<Shape>>(
	fields: Shape,
	defaults?: Given,
) {
	const given: Readonly<Record<string, unknown>> = { ...defaults };
	const entries = Object.entries(fields).map(([name, schema]) => {
		if (name in given) return [name, schema.default(given[name])];
		return [name, schema.safeParse(null).success ? schema.default(null) : schema];
	});
	return Object.fromEntries(entries) as BodyFields<Shape, Given>;
}
