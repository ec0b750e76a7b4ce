import type { ErrorDefinition } from '@paddock/contract';
import { withNamedEnums } from './openapi-enums.ts';
import { anyFailure, documentedErrors, failureName, failureResponses } from './openapi-failures.ts';

interface Schema {
	readonly $ref?: string;
	readonly enum?: readonly unknown[];
	readonly properties?: Readonly<Record<string, Schema>>;
}

interface Parameter {
	readonly name: string;
}

interface Response {
	readonly content?: Readonly<Record<string, { readonly schema: Schema }>>;
	readonly headers?: Readonly<Record<string, object>>;
}

interface Operation {
	readonly operationId: string;
	readonly parameters?: readonly Parameter[];
	readonly responses: Readonly<Record<string, Response>>;
	readonly 'x-error-codes'?: readonly string[];
}

type Kind = 'schemas' | 'responses' | 'parameters' | 'headers' | 'securitySchemes';
type Components = { readonly [kind in Kind]?: Readonly<Record<string, object>> };

/** The parts of an OpenAPI document that this module reads. */
export interface Described {
	readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
	readonly components: Components;
}

type Errors = Readonly<Record<string, ErrorDefinition>>;

/**
 * Moves the parts shared by the document's operations to `components`: the envelope, one response per status of
 * failures, enumerations, parameters and headers. `errors` defines the codes that the operations name.
 */
export function withSharedComponents<Document extends Described>(document: Document, errors: Errors) {
	const codes = new Set(operationsOf(document).flatMap((operation) => operation['x-error-codes'] ?? []));
	const documented = documentedErrors(errors, codes);
	const shared = withSharedParts(withNamedEnums(withEnvelopes(withFailures(document, documented))));
	return { ...shared, 'x-error-codes': documented };
}

/**
 * Adds a reference to the shared response for the status of each error code; a response that the operation defines
 * itself is kept.
 */
function withFailures<Document extends Described>(document: Document, errors: Errors): Document {
	const reference = (name: string) => ({ $ref: `#/components/responses/${name}` });
	const failing = withOperations(document, (operation) => {
		const statuses = (operation['x-error-codes'] ?? []).map((code) => errors[code]?.status ?? 500);
		const failures = statuses.map((status) => [status, reference(failureName(status))]);
		const responses = { ...Object.fromEntries(failures), ...operation.responses };
		return { ...operation, responses: { ...responses, default: reference(anyFailure) } };
	});
	const own = Object.entries(errors).filter(([code]) =>
		operationsOf(document).some((operation) => operation['x-error-codes']?.includes(code)),
	);
	return withComponents(failing, { responses: failureResponses(Object.fromEntries(own)) });
}

/** Names each success schema: `Success` with the data of the operation. */
function withEnvelopes<Document extends Described>(document: Document): Document {
	const schemas: Record<string, object> = {};
	const enveloped = withOperations(document, (operation) => {
		const schemaOf = (schema: Schema): Schema => {
			const { success, data } = schema.properties ?? {};
			if (data === undefined || success?.enum?.[0] !== true) return schema;
			const properties = { ...schema.properties, data: { description: 'Data of the operation.' } };
			schemas['Success'] = {
				...schema,
				description: 'Envelope of every success.',
				properties,
				required: Object.keys(properties),
			};
			const name = `${data.$ref?.split('/').at(-1) ?? capitalized(operation.operationId)}Response`;
			const success$ = { $ref: '#/components/schemas/Success' };
			schemas[name] = { allOf: [success$, { required: ['data'], properties: { data } }] };
			return { $ref: `#/components/schemas/${name}` };
		};
		const responses = mapValues(operation.responses, ({ content, ...response }) => ({
			...response,
			...(content === undefined
				? {}
				: { content: mapValues(content, (media) => ({ ...media, schema: schemaOf(media.schema) })) }),
		}));
		return { ...operation, responses };
	});
	return withComponents(enveloped, { schemas });
}

/** Moves parameters and response headers used by several operations; if several share a name, the most frequent. */
function withSharedParts<Document extends Described>(document: Document): Document {
	const operations = operationsOf(document);
	const parameters = frequent(
		operations.flatMap(({ parameters = [] }) => parameters.map((part) => [part.name, part])),
	);
	const headers = frequent(
		operations.flatMap(({ responses }) =>
			Object.values(responses).flatMap((response) => Object.entries(response.headers ?? {})),
		),
	);
	const shared = withOperations(document, (operation) => ({
		...operation,
		...(operation.parameters === undefined
			? {}
			: { parameters: operation.parameters.map((part) => reference('parameters', parameters, part)) }),
		responses: mapValues(operation.responses, (response) => ({
			...response,
			...(response.headers === undefined
				? {}
				: { headers: mapValues(response.headers, (part) => reference('headers', headers, part)) }),
		})),
	}));
	const named = (parts: ReadonlyMap<string, string>) =>
		Object.fromEntries([...parts].map(([json, name]) => [name, JSON.parse(json) as object]));
	return withComponents(shared, { parameters: named(parameters), headers: named(headers) });
}

/** The parts that occur more than once, as JSON, with their component names: `If-Match` → `IfMatch`. */
function frequent(parts: readonly (readonly [string, object])[]): ReadonlyMap<string, string> {
	const uses = Map.groupBy(parts, ([, part]) => JSON.stringify(part));
	const repeated = [...uses]
		.filter(([, { length }]) => length > 1)
		.sort(([, a], [, b]) => a.length - b.length);
	const ofName = new Map(repeated.map(([json, [first]]) => [first?.[0].replaceAll(/\W/g, '') ?? '', json]));
	return new Map([...ofName].map(([name, json]) => [json, name]));
}

function reference<Part extends object>(kind: string, names: ReadonlyMap<string, string>, part: Part): Part {
	const name = names.get(JSON.stringify(part));
	return name === undefined ? part : ({ $ref: `#/components/${kind}/${name}` } as unknown as Part);
}

function operationsOf({ paths }: Described): readonly Operation[] {
	return Object.values(paths).flatMap((item) => Object.values(item));
}

function withOperations<Document extends Described>(
	document: Document,
	change: (operation: Operation) => Operation,
): Document {
	return { ...document, paths: mapValues(document.paths, (item) => mapValues(item, change)) };
}

function withComponents<Document extends Described>(document: Document, more: Components): Document {
	const added = mapValues(more, (parts, kind) => ({ ...document.components[kind as Kind], ...parts }));
	return { ...document, components: { ...document.components, ...added } };
}

const capitalized = (name: string) => name.charAt(0).toUpperCase() + name.slice(1);

function mapValues<Value, Result>(
	object: Readonly<Record<string, Value>>,
	change: (value: Value, key: string) => Result,
): Record<string, Result> {
	return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
}
