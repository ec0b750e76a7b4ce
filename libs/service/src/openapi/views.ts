import type { Described } from './components.ts';
import { componentOf } from './schemas.ts';

type Schema = Readonly<Record<string, unknown>>;
type Schemas = Readonly<Record<string, Schema>>;

interface View extends Schema {
	/** Undefined for a view that is no component. */
	readonly name: string | undefined;
	readonly properties: Schemas;
	readonly required: readonly string[];
}

/**
 * The document without unions of the views of one record, of which clients of several languages read the first member only.
 * The component has the properties of all views; `x-views` has the views.
 */
export function withViews({ components, paths }: Described): Described {
	const schemas = components.schemas as Schemas;
	const merged = Object.entries(schemas).map(([name, schema]) => [name, inOneObject(name, schema, schemas)]);
	return { components: { ...components, schemas: Object.fromEntries(merged) }, paths };
}

/** @throws TypeError if two views have different properties with the same name */
function inOneObject(name: string, { anyOf, ...texts }: Schema, schemas: Schemas): Schema {
	const views = viewsOf(anyOf, schemas);
	if (views === undefined) return { ...(anyOf === undefined ? {} : { anyOf }), ...texts };
	const properties: Record<string, Schema> = {};
	for (const [key, property] of views.flatMap((view) => Object.entries(view.properties))) {
		if (JSON.stringify(properties[key] ?? property) !== JSON.stringify(property))
			throw new TypeError(`The views of ${name} have different properties ${key}.`);
		properties[key] = property;
	}
	const isInAll = (key: string) => views.every(({ required }) => required.includes(key));
	const base = views.find((view) => view.name !== undefined && Object.keys(view.properties).every(isInAll));
	return {
		type: 'object',
		...(base === undefined ? {} : { extends: base.name }),
		properties,
		required: Object.keys(properties).filter(isInAll),
		'x-views': anyOf,
		...texts,
	};
}

/** The views that a union consists of; undefined if the schema is no union of objects. */
function viewsOf(anyOf: unknown, schemas: Schemas): readonly View[] | undefined {
	if (!Array.isArray(anyOf)) return undefined;
	const views = anyOf.map((part: Schema): Schema => {
		const prefix = componentOf('schemas', '');
		const name = part['$ref'] === undefined ? undefined : String(part['$ref']).slice(prefix.length);
		return { required: [], ...(name === undefined ? part : schemas[name]), name };
	});
	return views.every((view): view is View => view['properties'] !== undefined) ? views : undefined;
}
