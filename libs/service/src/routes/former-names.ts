import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { isWrapper } from '../fields/schemas.ts';

const key = 'x-former-name';

/** A field or parameter with another name before, which requests may use and responses repeat (docs/api-policy.md). */
export function renamed<Schema extends z.ZodType>(schema: Schema, formerName: string): Schema {
	return schema.meta({ ...schema.meta(), [key]: formerName });
}

/** The former name of a field, also of one that was made optional or has a default since. */
export function formerNameOf(schema: z.ZodType): string | undefined {
	const found = z.globalRegistry.get(schema)?.[key];
	if (typeof found === 'string') return found;
	return isWrapper(schema) ? formerNameOf(schema.unwrap() as z.ZodType) : undefined;
}

/** A body or query under its present names. Of two, the one that differs from the stored record counts, else the present. */
export function withPresentNames(schema: z.ZodType | undefined, value: unknown, stored?: unknown): unknown {
	const element = elementOf(schema);
	if (element !== undefined && Array.isArray(value))
		return value.map((one) => withPresentNames(element, one));
	const shape = shapeOf(schema);
	if (shape === undefined || typeof value !== 'object' || value === null || Array.isArray(value))
		return value;
	const result: Record<string, unknown> = { ...value };
	for (const [name, field] of Object.entries(shape)) {
		const former = formerNameOf(field);
		if (former !== undefined && Object.hasOwn(result, former)) {
			const isUnchanged = stored !== undefined && isDeepStrictEqual(result[name], fieldOf(stored, name));
			if (!Object.hasOwn(result, name) || isUnchanged) result[name] = result[former];
			delete result[former];
		}
		if (Object.hasOwn(result, name))
			result[name] = withPresentNames(field, result[name], fieldOf(stored, name));
	}
	return result;
}

function fieldOf(record: unknown, name: string): unknown {
	return Reflect.get(Object(record), name);
}

function elementOf(schema: z.ZodType | undefined): z.ZodType | undefined {
	if (schema instanceof z.ZodArray) return schema.element as z.ZodType;
	return schema !== undefined && isWrapper(schema) ? elementOf(schema.unwrap() as z.ZodType) : undefined;
}

function shapeOf(schema: z.ZodType | undefined): Readonly<Record<string, z.ZodType>> | undefined {
	if (schema instanceof z.ZodObject) return schema.shape;
	return schema !== undefined && isWrapper(schema) ? shapeOf(schema.unwrap() as z.ZodType) : undefined;
}

/** From the first release with the present names on. */
const deprecation = {
	deprecated: true,
	'x-deprecated-since': '2026-11-25',
	'x-sunset': '2027-12-01',
} as const;

/** A query parameter that another one replaces, which says the same in other values. */
export function superseded<Schema extends z.ZodType>(schema: Schema, description: string): Schema {
	return schema.meta({ ...schema.meta(), param: deprecation, description });
}

type Schema = Readonly<Record<string, unknown>>;

/** The documented properties of an object, with the former names of those that have one. */
export function withFormerNames<Part>(part: Part): Part {
	const { properties, required } = Object(part) as {
		properties?: Record<string, Schema>;
		required?: string[];
	};
	if (typeof properties !== 'object' || properties === null) return part;
	const formers = Object.entries(properties).flatMap(([name, property]) => {
		const former = Object(property)[key];
		return typeof former === 'string' ? [[name, former, property] as const] : [];
	});
	if (formers.length === 0) return part;
	const added = formers.map(([name, former, { [key]: _key, description: _d, ...rest }]) => [
		former,
		{ ...rest, ...deprecation, description: `Former name of \`${name}\`.` },
	]);
	const names = formers.filter(([name]) => required?.includes(name)).map(([, former]) => former);
	return {
		...part,
		properties: { ...properties, ...Object.fromEntries(added) },
		...(required === undefined ? {} : { required: [...required, ...names] }),
	};
}

/** The same for requests, which need one of both names: neither is required. */
export function withoutRequiredNames(schema: object): object {
	const {
		properties = {},
		required,
		...rest
	} = schema as { properties?: Record<string, Schema>; required?: string[] };
	const renamedFields = Object.entries(properties).flatMap(([name, property]) => {
		const former = property[key];
		return typeof former === 'string' ? [name, former] : [];
	});
	if (required === undefined || renamedFields.length === 0) return schema;
	const others = required.filter((name) => !renamedFields.includes(name));
	return { ...rest, properties, ...(others.length === 0 ? {} : { required: others }) };
}

/** The same with the former names, which responses repeat, in the example. */
export function withFormerExample(schema: object): object {
	const { properties = {}, example } = schema as { properties?: Record<string, Schema>; example?: Schema };
	if (example === undefined) return schema;
	const repeated = Object.entries(properties).flatMap(([name, { [key]: former }]) =>
		typeof former === 'string' && Object.hasOwn(example, name) ? [[former, example[name]]] : [],
	);
	return repeated.length === 0
		? schema
		: { ...schema, example: { ...example, ...Object.fromEntries(repeated) } };
}

/** A documented query parameter and, deprecated, its former name. */
export function withFormerParameter<Parameter extends { readonly name: string; readonly schema: Schema }>(
	parameter: Parameter,
): readonly Parameter[] {
	const { [key]: former, ...schema } = parameter.schema;
	if (typeof former !== 'string') return [parameter];
	// One of both is needed.
	const { required: _, ...optional } = parameter as Parameter & { readonly required?: boolean };
	const current = { ...optional, schema } as unknown as Parameter;
	return [
		current,
		{ ...current, ...deprecation, name: former, description: `Former name of \`${parameter.name}\`.` },
	];
}
