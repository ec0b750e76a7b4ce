import { contextOfPath } from '../../contexts/context-routes.ts';
import type { ExampleSchema } from '../example-of.ts';
import type { Documented } from '../with-examples.ts';

/** What the collection needs to know of one operation. */
export interface CollectionOperation {
	readonly operationId: string;
	/** In capitals. */
	readonly method: string;
	/** With its `{parameters}`. */
	readonly path: string;
	readonly summary: string;
	/** Its context, or for the gateway's own pages their tag. */
	readonly folder: string;
	readonly isPublic: boolean;
	/** The documented success. */
	readonly status: number;
	/** Undefined where it takes no body. */
	readonly bodyExample: unknown;
	readonly answer: 'envelope' | 'page' | 'json' | 'other';
	/** True where it returns one record with its version. */
	readonly isVersioned: boolean;
	/** The examples of its parameters. */
	readonly parameterExamples: Readonly<Record<string, string>>;
}

interface RawOperation {
	operationId: string;
	summary: string;
	tags: string[];
	security?: object[];
	parameters?: { name: string; in: string; schema: ExampleSchema }[];
	requestBody?: { content: Record<string, { example?: unknown }> };
	responses: Record<string, { content?: Record<string, { schema?: ExampleSchema; example?: unknown }> }>;
}

/** Every operation of the document, in its order. */
export function operationsOf(document: Documented): readonly CollectionOperation[] {
	return Object.entries(document.paths).flatMap(([path, item]) =>
		Object.entries(item).map(([method, raw]) =>
			operationOf(method.toUpperCase(), path, raw as unknown as RawOperation),
		),
	);
}

function operationOf(method: string, path: string, raw: RawOperation): CollectionOperation {
	const [status = '200'] = Object.keys(raw.responses).filter((code) => code.startsWith('2'));
	const examples = (raw.parameters ?? []).map(({ name, schema }) => [name, String(schema.example ?? '')]);
	return {
		operationId: raw.operationId,
		method,
		path,
		summary: raw.summary,
		folder: contextOfPath.get(path) ?? raw.tags[0] ?? 'portal',
		isPublic: (raw.security ?? []).every((requirement) => Object.keys(requirement).length === 0),
		status: Number(status),
		bodyExample: raw.requestBody?.content['application/json']?.example,
		answer: answerOf(raw, status),
		isVersioned: isVersioned(raw, status),
		parameterExamples: Object.fromEntries(examples),
	};
}

function isVersioned(raw: RawOperation, status: string): boolean {
	const example = raw.responses[status]?.content?.['application/json']?.example as
		| { data?: { version?: unknown } | null }
		| undefined;
	return Number.isInteger(example?.data?.version);
}

function answerOf(raw: RawOperation, status: string): CollectionOperation['answer'] {
	const media = raw.responses[status]?.content ?? {};
	const json = Object.entries(media).find(([type]) => /json/.test(type))?.[1];
	if (json === undefined) return 'other';
	const { example } = json;
	if (typeof example !== 'object' || example === null || !('success' in example) || !('data' in example)) {
		return 'json';
	}
	const { data } = example;
	return typeof data === 'object' && data !== null && 'pagination' in data ? 'page' : 'envelope';
}
