import { z } from 'zod';
import { isWrapper } from '../fields/schemas.ts';
import { formerNameOf } from './former-names.ts';

type Projection = (value: unknown) => unknown;
interface Field {
	readonly project: Projection | undefined;
	readonly formerName: string | undefined;
}

type Fields = ReadonlyMap<string, Field>;

/**
 * Returns a function that leaves out every field that a schema does not declare, at any depth: a column that a query reads
 * and no schema names does not reach a caller. Undefined if the schema declares no fields. Checks nothing else.
 * @param addFormerNames whether renamed fields are repeated under their former names
 */
export function declaredFieldsOf(schema: z.ZodType, addFormerNames = true): Projection | undefined {
	return projectionOf(schema, { known: new Map(), addFormerNames });
}

interface Making {
	readonly known: Map<z.ZodType, Projection | undefined>;
	readonly addFormerNames: boolean;
}

function projectionOf(schema: z.ZodType, making: Making): Projection | undefined {
	const { known } = making;
	if (known.has(schema)) return known.get(schema);
	let projection: Projection | undefined;
	// Recursive schemas find this function instead of themselves.
	known.set(schema, (value) => (projection === undefined ? value : projection(value)));
	projection = projectionFor(schema, making);
	known.set(schema, projection);
	return projection;
}

function projectionFor(schema: z.ZodType, making: Making): Projection | undefined {
	if (schema instanceof z.ZodObject || schema instanceof z.ZodUnion) {
		const fields = fieldsOf([schema], making);
		return fields === undefined ? undefined : (value) => picked(value, fields);
	}
	if (schema instanceof z.ZodArray) {
		const element = projectionOf(schema.element as z.ZodType, making);
		return element === undefined ? undefined : (value) => (Array.isArray(value) ? value.map(element) : value);
	}
	if (schema instanceof z.ZodRecord) {
		const entry = projectionOf(schema.valueType as z.ZodType, making);
		return entry === undefined ? undefined : (value) => mapped(value, entry);
	}
	if (schema instanceof z.ZodLazy) return projectionOf(schema.unwrap() as z.ZodType, making);
	return isWrapper(schema) ? projectionOf(schema.unwrap() as z.ZodType, making) : undefined;
}

/** The fields of all alternatives together; undefined if one of them has any fields, or is no object. */
function fieldsOf(alternatives: readonly z.ZodType[], making: Making): Fields | undefined {
	const schemas = new Map<string, z.ZodType[]>();
	for (const alternative of flattened(alternatives)) {
		if (alternative instanceof z.ZodNull || alternative instanceof z.ZodUndefined) continue;
		if (!(alternative instanceof z.ZodObject) || isOpen(alternative)) return undefined;
		for (const [name, field] of Object.entries(alternative.shape))
			schemas.set(name, [...(schemas.get(name) ?? []), field as z.ZodType]);
	}
	return new Map(
		[...schemas].map(([name, [first, ...others]]) => {
			if (first === undefined) return [name, { project: undefined, formerName: undefined }];
			const isOne = others.every((other) => other === first);
			const project = projectionOf(isOne ? first : z.union([first, ...others]), making);
			return [name, { project, formerName: making.addFormerNames ? formerNameOf(first) : undefined }];
		}),
	);
}

function flattened(alternatives: readonly z.ZodType[]): readonly z.ZodType[] {
	return alternatives.flatMap((schema) => {
		if (schema instanceof z.ZodUnion) return flattened(schema.options as z.ZodType[]);
		return isWrapper(schema) ? flattened([schema.unwrap() as z.ZodType]) : [schema];
	});
}

/** Whether an object may have any further fields, as of `z.looseObject`. */
function isOpen({ def }: z.ZodObject): boolean {
	return def.catchall !== undefined && !(def.catchall instanceof z.ZodNever);
}

function picked(value: unknown, fields: Fields): unknown {
	if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
	const source = value as Readonly<Record<string, unknown>>;
	const result: Record<string, unknown> = {};
	for (const name of Object.keys(source)) {
		const field = fields.get(name);
		if (field === undefined) continue;
		const { project, formerName } = field;
		result[name] = project === undefined ? source[name] : project(source[name]);
		if (formerName !== undefined) result[formerName] = result[name];
	}
	return result;
}

function mapped(value: unknown, entry: Projection): unknown {
	if (typeof value !== 'object' || value === null) return value;
	return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, entry(one)]));
}
