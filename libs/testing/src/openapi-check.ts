import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openapiSchemaToJsonSchema } from '@openapi-contrib/openapi-schema-to-json-schema';
import type { ValidateFunction } from 'ajv';
import { default as draft04 } from 'ajv-draft-04';
import { default as addFormats } from 'ajv-formats';
import { parse } from 'yaml';
import { closedSchema, type Schemas } from './closed-schema.ts';
import { codeOf, type DescribesFailures, declaresFailure } from './declared-failures.ts';

interface MediaType {
	schema?: object;
}

interface ResponseObject {
	content?: Record<string, MediaType>;
}

interface Operation {
	operationId?: string;
	responses: Record<string, ResponseObject | { $ref: string }>;
	'x-error-codes'?: string[];
}

interface OpenapiFile extends DescribesFailures {
	paths: Record<string, Record<string, Operation>>;
	components: { responses: Record<string, ResponseObject>; schemas: Schemas };
}

/** A received response and its request. `path` may have a query. */
export interface SeenResponse {
	readonly method: string;
	readonly path: string;
	readonly status: number;
	readonly contentType: string | null;
	/** Undefined if there was no body. */
	readonly json: unknown;
}

export interface OpenapiCheck {
	/** @throws Error if the response doesn't match openapi.yaml */
	(response: SeenResponse): void;
	/** The operationIds whose responses have been checked. */
	readonly seen: ReadonlySet<string>;
	/** Whether the operation is documented; `path` is the template with its parameters. */
	describes(method: string, path: string): boolean;
	/** Whether a documented path template matches the request path, with any method. */
	knows(path: string): boolean;
}

// Statuses of responses to requests that match no operation: unknown paths and methods, refusals by the gateway's edge,
// a missing token on an unknown path.
const withoutOperation: ReadonlySet<number> = new Set([400, 401, 404, 405, 408, 413, 414, 417, 431, 503]);

const openapiFile = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url));

/** Writes the committed openapi.yaml as JSON to `path`, for all uses of `createOpenapiCheck` in a run. */
export function writeOpenapiJson(path: string): void {
	writeFileSync(path, JSON.stringify(parse(readFileSync(openapiFile, 'utf8'))));
}

/** The committed openapi.yaml with its compiled schemas. */
interface CompiledOpenapi {
	readonly document: OpenapiFile;
	/** The template of a request path without its query. */
	templateOf(path: string): string | undefined;
	/** Returns the check of a response's body; `key` identifies the response. */
	validatorOf(key: string, schema: object): ValidateFunction;
	errorsText(validate: ValidateFunction): string;
}

let compiled: CompiledOpenapi | undefined;

/** Reads and compiles once per process: test files share it. */
function compiledOpenapi(): CompiledOpenapi {
	compiled ??= compileOpenapi(committedDocument());
	return compiled;
}

function compileOpenapi(document: OpenapiFile): CompiledOpenapi {
	const ajv = new draft04.default({ strict: false, allErrors: true });
	addFormats.default(ajv);
	ajv.addSchema({ id: 'openapi', components: jsonSchemaOf(document.components) });
	const { schemas } = document.components;
	const validators = new Map<string, ValidateFunction>();
	return {
		document,
		templateOf: templateFinder(Object.keys(document.paths).sort()),
		validatorOf: (key, schema) => {
			const validate = validators.get(key) ?? ajv.compile(inlineJsonSchema(schema, schemas));
			validators.set(key, validate);
			return validate;
		},
		errorsText: ({ errors }) => ajv.errorsText(errors, { separator: '; ' }),
	};
}

/** Validates responses against the committed openapi.yaml, independently of the schemas in the code. */
export function createOpenapiCheck(): OpenapiCheck {
	const { document, templateOf, validatorOf, errorsText } = compiledOpenapi();
	const seen = new Set<string>();
	const check = (seenResponse: SeenResponse): void => {
		const { status, json } = seenResponse;
		const exchange = `${seenResponse.method} ${seenResponse.path} returned ${status}`;
		const path = templateOf(seenResponse.path.split('?')[0] ?? '');
		const method = seenResponse.method === 'HEAD' ? 'get' : seenResponse.method.toLowerCase();
		const operation = path === undefined ? undefined : document.paths[path]?.[method];
		if (operation === undefined) {
			if (withoutOperation.has(status) || seenResponse.method === 'OPTIONS') return;
			throw new Error(`${exchange}, but openapi.yaml has no such operation.`);
		}
		const response = responseOf(operation, status, document);
		if (response === undefined) throw new Error(`${exchange}, which openapi.yaml does not list.`);
		const code = status < 400 ? undefined : codeOf(json);
		if (code !== undefined && !declaresFailure(document, operation, status, code))
			throw new Error(`${exchange} ${code}, which openapi.yaml does not list.`);
		seen.add(operation.operationId ?? `${method} ${path}`);
		if (response.content === undefined || json === undefined) return;
		const type = (seenResponse.contentType ?? '').split(';')[0]?.trim() ?? '';
		const media = response.content[type];
		if (media === undefined)
			throw new Error(`${exchange} as ${type}, but openapi.yaml lists ${Object.keys(response.content)}.`);
		const validate = validatorOf(`${method} ${path} ${status} ${type}`, media.schema ?? {});
		if (!validate(json))
			throw new Error(`${exchange}, but the body does not match openapi.yaml: ${errorsText(validate)}`);
	};
	const describes = (method: string, path: string) => document.paths[path]?.[method] !== undefined;
	const knows = (path: string) => templateOf(path) !== undefined;
	return Object.assign(check, { seen, describes, knows });
}

/** Reads the run's JSON copy if there is one: parsing the YAML takes half a second. */
function committedDocument(): OpenapiFile {
	const { PADDOCK_TEST_OPENAPI: json } = process.env;
	if (json !== undefined) return JSON.parse(readFileSync(json, 'utf8')) as OpenapiFile;
	return parse(readFileSync(openapiFile, 'utf8')) as OpenapiFile;
}

/** What is described for a status: its own response, else `default` for a failure. */
function responseOf(
	{ responses }: Operation,
	status: number,
	document: OpenapiFile,
): ResponseObject | undefined {
	const response = responses[status] ?? (status < 400 ? undefined : responses['default']);
	if (response === undefined || !('$ref' in response)) return response;
	return document.components.responses[response.$ref.slice('#/components/responses/'.length)];
}

/** Finds the first template, of sorted ones, that matches a path. */
function templateFinder(templates: readonly string[]): CompiledOpenapi['templateOf'] {
	const bySegments = Map.groupBy(
		templates.map((template) => ({ template, parts: template.split('/') })),
		({ parts }) => parts.length,
	);
	return (path) => {
		const segments = path.split('/');
		return bySegments
			.get(segments.length)
			?.find(({ parts }) => parts.every((part, index) => part.startsWith('{') || part === segments[index]))
			?.template;
	};
}

/** The components with their schemas, closed and as JSON Schema: OpenAPI 3.0 has its own keywords, such as `nullable`. */
export function jsonSchemaOf({ schemas }: { readonly schemas: Schemas }): object {
	const converted = Object.entries(schemas).map(([name, schema]) => [
		name,
		openapiSchemaToJsonSchema(closedSchema(schema, schemas)),
	]);
	return { schemas: Object.fromEntries(converted) };
}

/** The same of one schema outside of the components. Its references get the id of the file: `#` would be the schema. */
export function inlineJsonSchema(schema: object, schemas: Schemas): object {
	const converted = openapiSchemaToJsonSchema(closedSchema({ ...schema }, schemas));
	return JSON.parse(JSON.stringify(converted).replaceAll('"$ref":"#/', '"$ref":"openapi#/')) as object;
}
