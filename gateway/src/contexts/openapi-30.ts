import { mapReferences } from './contract-references.ts';
import { isObject, type Json, mapSchemas, mapValues } from './openapi-schemas.ts';

// Keywords of JSON Schema 2020-12 that OpenAPI 3.0.3 has no word for: what is left allows more.
const unknownKeywords = [
	'$anchor',
	'$comment',
	'$defs',
	'$dynamicAnchor',
	'$dynamicRef',
	'$id',
	'$schema',
	'$vocabulary',
	'const',
	'contains',
	'contentEncoding',
	'contentMediaType',
	'contentSchema',
	'dependentRequired',
	'dependentSchemas',
	'else',
	'examples',
	'if',
	'maxContains',
	'minContains',
	'patternProperties',
	'prefixItems',
	'propertyNames',
	'then',
	'unevaluatedItems',
	'unevaluatedProperties',
];

/** A document of version 3.1 as 3.0.3: exact if 3.0 can express it, otherwise less strict. */
export function asOpenapi30(document: Json): Json {
	if (!String(document['openapi']).startsWith('3.1')) return document;
	const {
		webhooks: _,
		jsonSchemaDialect: __,
		info,
		components,
		...others
	} = withHoistedDefinitions(document);
	const { pathItems: ___, ...kept } = isObject(components) ? components : {};
	return {
		...mapSchemas({ ...others, components: kept }, schema30),
		openapi: '3.0.3',
		info: info30(info as Json),
	};
}

/** `$defs` of named schemas become named schemas, as OpenAPI 3.0 has no other place for them. */
function withHoistedDefinitions(document: Json): Json {
	const { components } = document;
	if (!isObject(components) || !isObject(components['schemas'])) return document;
	const definitionsOf = (schema: unknown) =>
		isObject(schema) && isObject(schema['$defs']) ? Object.entries(schema['$defs']) : [];
	const hoisted = Object.entries(components['schemas']).flatMap(([name, schema]) =>
		definitionsOf(schema).map(([defined, definition]) => [`${name}.${defined}`, definition] as const),
	);
	if (hoisted.length === 0) return document;
	const schemas = { ...components['schemas'], ...Object.fromEntries(hoisted) };
	const rename = (reference: string) =>
		reference.replace(/^#\/components\/schemas\/([^/]+)\/\$defs\/([^/]+)/, '#/components/schemas/$1.$2');
	return mapReferences({ ...document, components: { ...components, schemas } }, rename) as Json;
}

/** 3.1 knows a summary, and a licence by its identifier. */
function info30({ summary: _, license, ...info }: Json): Json {
	if (!isObject(license)) return info;
	const { identifier: __, ...named } = license;
	return { ...info, license: named };
}

function schema30(schema: Json | boolean): Json | boolean {
	if (!isObject(schema)) return schema ? {} : { not: {} };
	const { $ref } = schema;
	const rest = mapValues(schema, (value) => value);
	for (const keyword of unknownKeywords) delete rest[keyword];
	const own: Json = { ...rest, ...enumeration(schema), ...example(schema), ...encoding(schema) };
	exclusiveBound(own, 'minimum', 'exclusiveMinimum');
	exclusiveBound(own, 'maximum', 'exclusiveMaximum');
	if (isObject(schema['patternProperties'])) delete own['additionalProperties'];
	if (typeof $ref === 'string') {
		delete own['$ref'];
		// OpenAPI 3.0.3 §4.7.23: what stands beside a reference is ignored.
		return Object.keys(own).length === 0 ? { $ref } : { ...own, allOf: [{ $ref }, ...listOf(own['allOf'])] };
	}
	return withoutNull(withOneType(own));
}

function enumeration({ const: only, enum: values }: Json): Json {
	if (only !== undefined) return { enum: [only] };
	return values === undefined ? {} : { enum: values };
}

function example({ examples, example }: Json): Json {
	const [first] = listOf(examples);
	return example === undefined && first !== undefined ? { example: first } : {};
}

function encoding({ contentEncoding, contentMediaType, format }: Json): Json {
	if (format !== undefined) return {};
	if (contentEncoding === 'base64') return { format: 'byte' };
	return contentMediaType === 'application/octet-stream' ? { format: 'binary' } : {};
}

function exclusiveBound(schema: Json, bound: string, exclusive: string): void {
	const value = schema[exclusive];
	if (typeof value !== 'number') return;
	const other = schema[bound];
	const isStricter = typeof other === 'number' && (bound === 'minimum' ? other > value : other < value);
	if (isStricter) delete schema[exclusive];
	else Object.assign(schema, { [bound]: value, [exclusive]: true });
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** `type: [string, 'null']` → `nullable`; several types → `anyOf`. */
function withOneType({ type, ...schema }: Json): Json {
	if (type === undefined) return schema;
	const types = Array.isArray(type) ? type : [type];
	const named = types.filter((each) => each !== 'null');
	const nullable = named.length < types.length ? { nullable: true } : {};
	const only = named.length === 1 ? named[0] : undefined;
	if (named.length === 0) return { ...schema, ...nullable, enum: [null] };
	if (only === 'array') return { items: {}, ...schema, type: only, ...nullable };
	if (only !== undefined) return { ...schema, type: only, ...nullable };
	const alternatives = named.map((each) => (each === 'array' ? { type: each, items: {} } : { type: each }));
	const own: Json = { ...schema, ...nullable };
	if (own['anyOf'] === undefined) return { ...own, anyOf: alternatives };
	return { ...own, allOf: [...listOf(own['allOf']), { anyOf: alternatives }] };
}

/** `anyOf: [x, null]` → x, nullable. */
function withoutNull(schema: Json): Json {
	const isNull = (each: unknown) =>
		isObject(each) && each['nullable'] === true && Array.isArray(each['enum']) && each['enum'][0] === null;
	for (const keyword of ['anyOf', 'oneOf']) {
		const alternatives = schema[keyword];
		if (!Array.isArray(alternatives) || !alternatives.some(isNull)) continue;
		const { [keyword]: _, ...others } = schema;
		const kept = alternatives.filter((each) => !isNull(each));
		const own = { ...others, nullable: true };
		return kept.length === 1 && others['allOf'] === undefined
			? { ...own, allOf: kept }
			: { ...own, [keyword]: kept };
	}
	return schema;
}
