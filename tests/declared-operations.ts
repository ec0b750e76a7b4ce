import { exampleOf } from '../scripts/docs/example-of.ts';
import { openapiDocument } from '../scripts/docs/openapi-text.ts';
import {
	type Operation as DeclaredOperation,
	type OpenapiDocument,
	type Parameter,
	resolved,
	type Schema,
} from '../scripts/openapi-document.ts';

/** One operation that can be reached through the gateway, whether a service or the gateway itself carries it out. */
export interface Operation {
	readonly method: string;
	/** With `{names}` of parameters. */
	readonly path: string;
	readonly parameters: readonly Parameter[];
	/** The example of the body; undefined for an operation without one. */
	readonly body: unknown;
	/** The paths of the body's texts, e.g. `['owners', 0, 'externalParty', 'name']`. */
	readonly bodyTexts: readonly FieldPath[];
	/** Whether the response never ends by itself, or stops the process to describe it. */
	readonly streams: boolean;
}

/** Media types of streams, and of heap snapshots and profiles. */
const longTypes = new Set(['text/event-stream', 'application/octet-stream']);

export type FieldPath = readonly (string | number)[];

/** Everything that the routes and the gateway's pages declare. */
export function declaredOperations(): readonly Operation[] {
	const document = openapiDocument();
	return Object.entries(document.paths).flatMap(([path, item]) =>
		Object.entries(item).map(([method, operation]) =>
			operationOf(method.toUpperCase(), path, operation, document),
		),
	);
}

function operationOf(
	method: string,
	path: string,
	{ parameters, requestBody, responses }: DeclaredOperation,
	document: OpenapiDocument,
): Operation {
	const schema = requestBody?.content?.['application/json']?.schema;
	const success = resolved(document, responses['200'] ?? {});
	return {
		method,
		path,
		parameters: (parameters ?? []).map((parameter) => resolved(document, parameter)),
		body: schema === undefined ? undefined : exampleOf(schema, document.components.schemas),
		bodyTexts: schema === undefined ? [] : textsOf(schema, document),
		streams: Object.keys(success.content ?? {}).some((type) => longTypes.has(type)),
	};
}

/** The paths of all texts of free form; of a list its first entry. */
function textsOf(schema: Schema, document: OpenapiDocument): readonly FieldPath[] {
	const { $ref, type, properties, items, anyOf, allOf } = schema;
	if ($ref !== undefined) {
		const named = document.components.schemas[$ref.split('/').at(-1) ?? ''];
		return named === undefined ? [] : textsOf(named, document);
	}
	const parts = anyOf ?? allOf;
	if (parts !== undefined) return parts.flatMap((part) => textsOf(part, document));
	if (type === 'string') return [[]];
	const within = (key: string | number, inner: Schema): FieldPath[] =>
		textsOf(inner, document).map((path) => [key, ...path]);
	if (items !== undefined) return within(0, items);
	return Object.entries(properties ?? {}).flatMap(([name, inner]) => within(name, inner));
}

/** A copy of the body in which the field has this value; missing objects on the path are created. */
export function withField(body: unknown, [key, ...rest]: FieldPath, value: unknown): unknown {
	if (key === undefined) return value;
	if (typeof key === 'number') {
		const list: unknown[] = Array.isArray(body) ? [...body] : [];
		list[key] = withField(list[key], rest, value);
		return list;
	}
	const object = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
	return { ...object, [key]: withField(Reflect.get(object, key), rest, value) };
}
