import { contextOfPath } from '../../contexts/context-routes.ts';
import {
	type Body,
	type OpenapiDocument,
	type Operation,
	type Parameter,
	resolved,
	type Schema,
} from '../../openapi-document.ts';
import { exampleOf } from '../example-of.ts';

interface CollectionParameter {
	readonly name: string;
	readonly in: string;
	readonly description: string;
	/** Empty if the document has none. */
	readonly example: string;
}

export interface CollectionOperation {
	readonly operationId: string;
	/** Upper case. */
	readonly method: string;
	/** With its `{parameters}`. */
	readonly path: string;
	readonly summary: string;
	readonly description: string | undefined;
	/** The operation's context, or the tag of a gateway page. */
	readonly folder: string;
	readonly isPublic: boolean;
	readonly status: number;
	readonly accept: string;
	/** The media type of the body; undefined if the operation has none. */
	readonly bodyType: string | undefined;
	readonly bodyExample: unknown;
	readonly responseExample: unknown;
	readonly response: 'envelope' | 'page' | 'json' | 'other';
	/** True if it returns one record with its version. */
	readonly isVersioned: boolean;
	readonly parameters: readonly CollectionParameter[];
}

/** Every operation of the document, in its order; of PUT and PATCH of one record, which do the same, only PATCH. */
export function operationsOf(document: OpenapiDocument): readonly CollectionOperation[] {
	return Object.entries(document.paths).flatMap(([path, item]) =>
		Object.entries(item)
			.filter(([method]) => method !== 'put' || item['patch'] === undefined)
			.map(([method, raw]) => operationOf(method.toUpperCase(), path, raw, document)),
	);
}

function operationOf(
	method: string,
	path: string,
	raw: Operation,
	document: OpenapiDocument,
): CollectionOperation {
	const [status = '200'] = Object.keys(raw.responses).filter((code) => /^(2|302|308)/.test(code));
	const response = resolved(document, raw.responses[status] ?? {});
	const success = exampleBody(response, document);
	return {
		operationId: raw.operationId,
		method,
		path,
		summary: raw.summary,
		description: raw.description,
		folder: contextOfPath.get(path) ?? raw.tags[0] ?? 'portal',
		isPublic: raw.security?.every((requirement) => Object.keys(requirement).length === 0) ?? false,
		status: Number(status),
		accept: Object.keys(response.content ?? {})[0] ?? 'application/json',
		bodyType: Object.keys(raw.requestBody?.content ?? {})[0],
		bodyExample: exampleBody(raw.requestBody ?? {}, document),
		responseExample: success,
		response: responseShape(success),
		isVersioned: Number.isInteger(
			(success as { data?: { version?: unknown } | null } | undefined)?.data?.version,
		),
		parameters: (raw.parameters ?? []).map((parameter) =>
			parameterOf(resolved(document, parameter), document),
		),
	};
}

function parameterOf(parameter: Parameter, { components }: OpenapiDocument): CollectionParameter {
	const { name, in: place, required = false, description = '', schema } = parameter;
	const values = enumOf(schema, components.schemas);
	return {
		name,
		in: place,
		description: [
			...(required ? ['(Required)'] : []),
			description,
			...(values === undefined ? [] : [`(This can only be one of ${values.join(',')})`]),
		].join(' '),
		example: String(schema.example ?? ''),
	};
}

/** The values of an enumeration; undefined for any other schema. */
function enumOf(
	schema: Schema,
	schemas: OpenapiDocument['components']['schemas'],
): readonly unknown[] | undefined {
	const [reference] = [schema, ...(schema.allOf ?? [])].flatMap(({ $ref = [] }) => $ref);
	return schema.enum ?? schemas[reference?.split('/').at(-1) ?? '']?.enum;
}

/** The example of a JSON body; undefined if there is none. */
function exampleBody({ content = {} }: Body, { components }: OpenapiDocument): unknown {
	const json = Object.entries(content).find(([type]) => /json/.test(type))?.[1];
	return json === undefined ? undefined : exampleOf(json.schema, components.schemas);
}

function responseShape(example: unknown): CollectionOperation['response'] {
	if (example === undefined) return 'other';
	if (typeof example !== 'object' || example === null || !('success' in example) || !('data' in example))
		return 'json';
	const { data } = example;
	return typeof data === 'object' && data !== null && 'pagination' in data ? 'page' : 'envelope';
}
