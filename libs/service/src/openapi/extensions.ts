import type { Described } from './components.ts';
import { componentOf } from './schemas.ts';

type Properties = Readonly<Record<string, unknown>>;

interface ObjectSchema {
	/** In the metadata of a declaration: the component whose properties it has, and more. */
	readonly extends?: string;
	readonly properties?: Properties;
	readonly example?: Properties;
	readonly required?: readonly string[];
	readonly additionalProperties?: unknown;
	readonly [keyword: string]: unknown;
}

type Schemas = Readonly<Record<string, ObjectSchema>>;

/** The document with components that extend another one as `allOf` of that one and their own properties. */
export function withExtensions({ components, paths }: Described): Described {
	const schemas = components.schemas as Schemas;
	const extended = Object.entries(schemas).map(([name, schema]) => [name, extension(name, schema, schemas)]);
	return { components: { ...components, schemas: Object.fromEntries(extended) }, paths };
}

/** @throws TypeError if a value of the component could not be one of the other component */
function extension(name: string, schema: ObjectSchema, schemas: Schemas): object {
	const { extends: base, type, properties, required = [], example, ...rest } = schema;
	if (base === undefined) return schema;
	const inherited = schemas[base];
	if (inherited === undefined || !isExtended(schema, inherited))
		throw new TypeError(`${name} does not extend ${base}.`);
	const needed = required.filter((property) => inherited.properties?.[property] === undefined);
	const own = {
		type,
		properties: without(inherited.properties, properties),
		...(needed.length === 0 ? {} : { required: needed }),
		...(example === undefined ? {} : { example: differing(inherited.example, example) }),
	};
	return { allOf: [{ $ref: componentOf('schemas', base) }, own], ...rest };
}

function without(inherited: Properties = {}, parts: Properties = {}): Properties {
	return Object.fromEntries(Object.entries(parts).filter(([name]) => inherited[name] === undefined));
}

/** The example values that the base does not show, or shows otherwise. */
function differing(inherited: Properties = {}, parts: Properties): Properties {
	const isOther = ([name, part]: [string, unknown]) =>
		JSON.stringify(inherited[name]) !== JSON.stringify(part);
	return Object.fromEntries(Object.entries(parts).filter(isOther));
}

/** Whether the properties of the base are declared alike, and neither schema refuses those of the other. */
function isExtended(schema: ObjectSchema, base: ObjectSchema): boolean {
	if (schema.additionalProperties === false || base.additionalProperties === false) return false;
	const { properties = {} } = base;
	const isNeeded = ({ required = [] }: ObjectSchema, name: string) => required.includes(name);
	return (
		Object.keys(properties).every((name) => isNeeded(schema, name) === isNeeded(base, name)) &&
		hasAll(schema.properties, properties)
	);
}

function hasAll(parts: Properties = {}, inherited: Properties): boolean {
	return Object.entries(inherited).every(
		([name, part]) => JSON.stringify(parts[name]) === JSON.stringify(part),
	);
}
