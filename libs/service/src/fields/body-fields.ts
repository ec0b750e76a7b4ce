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

/** The fields of a body of POST and PUT. One that is left out gets the given default, or null if it may be null. */
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

export type WithInstants<Row> = {
	[Column in keyof Row]: Date extends Row[Column] ? Exclude<Row[Column], Date> | string : Row[Column];
};

/** A row with its instants as responses show them, in ISO 8601 and UTC. */
export function withInstants<Row extends object>(row: Row): WithInstants<Row> {
	// A copy keeps the shape of the row; an object made from entries has none, which takes three times as long.
	const shown = { ...row } as object as Record<string, unknown>;
	for (const name in shown) {
		const value = shown[name];
		if (value instanceof Date) shown[name] = value.toISOString();
	}
	return shown as WithInstants<Row>;
}

type Payload = z.core.ParsePayload;

/** For a rule over several fields: runs as soon as these are valid, so that a client gets all errors at once. Not for lists. */
export function whenValid(...fields: readonly string[]) {
	return ({ value, issues }: Payload): boolean =>
		typeof value === 'object' &&
		value !== null &&
		!Array.isArray(value) &&
		!issues.some((issue) => fields.includes(String(issue.path?.[0])));
}
