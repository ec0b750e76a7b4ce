export type Json = Record<string, unknown>;
type Schema = Json | boolean;

// JSON Schema 2020-12 and OpenAPI: which keywords contain schemas.
const oneSchema = new Set([
	'additionalItems',
	'additionalProperties',
	'contains',
	'contentSchema',
	'else',
	'if',
	'not',
	'propertyNames',
	'then',
	'unevaluatedItems',
	'unevaluatedProperties',
]);
const listOfSchemas = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const namedSchemas = new Set(['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties']);

export const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

const isSchema = (value: unknown): value is Schema => typeof value === 'boolean' || isObject(value);

/** Applies `convert` to a schema and all schemas within it, the inner ones first. */
function mapSchema(schema: Schema, convert: (schema: Schema) => Schema): Schema {
	if (!isObject(schema)) return convert(schema);
	const inner = (value: unknown) => (isSchema(value) ? mapSchema(value, convert) : value);
	const mapped = Object.entries(schema).map(([keyword, value]) => {
		if (oneSchema.has(keyword)) return [keyword, inner(value)];
		if (keyword === 'items') return [keyword, Array.isArray(value) ? value.map(inner) : inner(value)];
		if (listOfSchemas.has(keyword) && Array.isArray(value)) return [keyword, value.map(inner)];
		if (namedSchemas.has(keyword) && isObject(value)) return [keyword, mapValues(value, inner)];
		return [keyword, value];
	});
	return convert(Object.fromEntries(mapped));
}

export const mapValues = (object: Json, map: (value: unknown, key: string) => unknown): Json =>
	Object.fromEntries(Object.entries(object).map(([key, value]) => [key, map(value, key)]));

/** Applies `convert` to every schema of a document; examples are left alone. */
export function mapSchemas(document: Json, convert: (schema: Schema) => Schema): Json {
	const walk = (value: unknown, key: string): unknown => {
		if (key === 'schema' && isSchema(value)) return mapSchema(value, convert);
		if (key === 'example' || key === 'examples') return value;
		if (Array.isArray(value)) return value.map((each) => walk(each, ''));
		return isObject(value) ? mapValues(value, walk) : value;
	};
	const { components, ...others } = document;
	const { schemas, ...otherComponents } = isObject(components) ? components : {};
	return {
		...mapValues(others, walk),
		components: {
			...mapValues(otherComponents, walk),
			...(isObject(schemas)
				? {
						schemas: mapValues(schemas, (schema) => (isSchema(schema) ? mapSchema(schema, convert) : schema)),
					}
				: {}),
		},
	};
}
