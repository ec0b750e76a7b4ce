import { contextOfPath } from '../../contexts/context-routes.ts';
import { type Documented, type DocumentedBody, type DocumentedOperation, resolved } from '../documented.ts';
import { exampleOf } from '../example-of.ts';

/** The data of one operation that the collection needs. */
export interface CollectionOperation {
	readonly operationId: string;
	/** Upper case. */
	readonly method: string;
	/** With its `{parameters}`. */
	readonly path: string;
	readonly summary: string;
	/** Its context, or the tag of a gateway page. */
	readonly folder: string;
	readonly isPublic: boolean;
	/** The documented success status. */
	readonly status: number;
	/** Undefined if the operation has no body. */
	readonly bodyExample: unknown;
	/** Of the success response, if that is JSON. */
	readonly responseExample: unknown;
	readonly response: 'envelope' | 'page' | 'json' | 'other';
	/** True if it returns one record with its version. */
	readonly isVersioned: boolean;
	/** The examples of its parameters. */
	readonly parameterExamples: Readonly<Record<string, string>>;
}

/** Every operation of the document, in its order. */
export function operationsOf(document: Documented): readonly CollectionOperation[] {
	return Object.entries(document.paths).flatMap(([path, item]) =>
		Object.entries(item).map(([method, raw]) => operationOf(method.toUpperCase(), path, raw, document)),
	);
}

function operationOf(
	method: string,
	path: string,
	raw: DocumentedOperation,
	document: Documented,
): CollectionOperation {
	const [status = '200'] = Object.keys(raw.responses).filter((code) => /^(2|308)/.test(code));
	const success = exampleBody(resolved(document, raw.responses[status] ?? {}), document);
	const examples = (raw.parameters ?? [])
		.map((parameter) => resolved(document, parameter))
		.map(({ name, schema }) => [name, String(schema.example ?? '')]);
	return {
		operationId: raw.operationId,
		method,
		path,
		summary: raw.summary,
		folder: contextOfPath.get(path) ?? raw.tags[0] ?? 'portal',
		isPublic: raw.security?.every((requirement) => Object.keys(requirement).length === 0) ?? false,
		status: Number(status),
		bodyExample: exampleBody(raw.requestBody ?? {}, document),
		responseExample: success,
		response: responseShape(success),
		isVersioned: Number.isInteger(
			(success as { data?: { version?: unknown } | null } | undefined)?.data?.version,
		),
		parameterExamples: Object.fromEntries(examples),
	};
}

/** The example of a JSON body; undefined if there is none. */
function exampleBody({ content = {} }: DocumentedBody, { components }: Documented): unknown {
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
