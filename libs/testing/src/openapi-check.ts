import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { openapiSchemaToJsonSchema } from '@openapi-contrib/openapi-schema-to-json-schema';
import type { ValidateFunction } from 'ajv';
import { default as draft04 } from 'ajv-draft-04';
import { default as addFormats } from 'ajv-formats';
import { parse } from 'yaml';

interface MediaType {
	schema?: object;
}

interface ResponseObject {
	content?: Record<string, MediaType>;
}

interface Operation {
	operationId?: string;
	responses: Record<string, ResponseObject | { $ref: string }>;
}

interface OpenapiFile {
	paths: Record<string, Record<string, Operation>>;
	components: { responses: Record<string, ResponseObject>; schemas?: Record<string, object> };
}

/** An answer as it came over the wire. `path` may have a query. */
export interface SeenAnswer {
	readonly method: string;
	readonly path: string;
	readonly status: number;
	readonly contentType: string | null;
	/** Undefined where there was no body. */
	readonly json: unknown;
}

export interface OpenapiCheck {
	/** Throws when the answer is not one that openapi.yaml describes. */
	(answer: SeenAnswer): void;
	/** The operationIds whose answers have been checked. */
	readonly seen: ReadonlySet<string>;
	/** Whether there is such an operation; `path` as it is declared, with its parameters. */
	describes(method: string, path: string): boolean;
	/** Whether there is an operation at this path as it was asked for, whatever the method. */
	knows(path: string): boolean;
}

// What the gateway and services answer where no operation took the request: unknown paths and methods, refusals of
// the edge, a bearer token that is missing on an address that nobody knows.
const withoutOperation: ReadonlySet<number> = new Set([400, 401, 404, 405, 408, 413, 414, 417, 431, 503]);

const openapiFile = fileURLToPath(new URL('../../../openapi.yaml', import.meta.url));

/** Writes the committed openapi.yaml as JSON to `path`, for `createOpenapiCheck` of a whole run. */
export function writeOpenapiJson(path: string): void {
	writeFileSync(path, JSON.stringify(parse(readFileSync(openapiFile, 'utf8'))));
}

/** Checks answers against the committed openapi.yaml, with a JSON Schema validator of its own. */
export function createOpenapiCheck(): OpenapiCheck {
	const document = committedDocument();
	const ajv = new draft04.default({ strict: false, allErrors: true, multipleOfPrecision: 6 });
	addFormats.default(ajv);
	ajv.addSchema({ id: 'openapi', components: jsonSchemaOf(document.components) });
	const validators = new Map<string, ValidateFunction>();
	const paths = Object.keys(document.paths).sort();
	const seen = new Set<string>();
	const check = (answer: SeenAnswer): void => {
		const said = `${answer.method} ${answer.path} answered ${answer.status}`;
		const path = paths.find((candidate) => matches(candidate, answer.path.split('?')[0] ?? ''));
		const method = answer.method === 'HEAD' ? 'get' : answer.method.toLowerCase();
		const operation = path === undefined ? undefined : document.paths[path]?.[method];
		if (operation === undefined) {
			if (withoutOperation.has(answer.status) || answer.method === 'OPTIONS') return;
			throw new Error(`${said}, but openapi.yaml has no such operation.`);
		}
		const response = resolved(operation.responses[answer.status], document);
		if (response === undefined) throw new Error(`${said}, which openapi.yaml does not list for it.`);
		seen.add(operation.operationId ?? `${method} ${path}`);
		if (response.content === undefined || answer.json === undefined) return;
		const type = (answer.contentType ?? '').split(';')[0]?.trim() ?? '';
		const media = response.content[type];
		if (media === undefined)
			throw new Error(`${said} as ${type}, but openapi.yaml lists ${Object.keys(response.content)}.`);
		const key = `${method} ${path} ${answer.status} ${type}`;
		const validate = validators.get(key) ?? ajv.compile(withAbsoluteReferences(media.schema ?? {}));
		validators.set(key, validate);
		if (!validate(answer.json)) {
			throw new Error(
				`${said}, which openapi.yaml does not allow: ${ajv.errorsText(validate.errors, { separator: '; ' })}`,
			);
		}
	};
	const describes = (method: string, path: string) => document.paths[path]?.[method] !== undefined;
	const knows = (path: string) => paths.some((template) => matches(template, path));
	return Object.assign(check, { seen, describes, knows });
}

/** From the JSON that the run has made of it where there is one: reading the YAML takes half a second. */
function committedDocument(): OpenapiFile {
	const { PADDOCK_TEST_OPENAPI: json } = process.env;
	if (json !== undefined) return JSON.parse(readFileSync(json, 'utf8')) as OpenapiFile;
	return parse(readFileSync(openapiFile, 'utf8')) as OpenapiFile;
}

function resolved(
	response: ResponseObject | { $ref: string } | undefined,
	document: OpenapiFile,
): ResponseObject | undefined {
	if (response === undefined || !('$ref' in response)) return response;
	return document.components.responses[response.$ref.slice('#/components/responses/'.length)];
}

function matches(template: string, path: string): boolean {
	const parts = template.split('/');
	const segments = path.split('/');
	return (
		parts.length === segments.length &&
		parts.every((part, index) => part.startsWith('{') || part === segments[index])
	);
}

/** The components with their schemas as JSON Schema: OpenAPI 3.0 has words of its own, such as `nullable`. */
export function jsonSchemaOf(components: { schemas?: Record<string, object> }): object {
	const schemas = Object.entries(components.schemas ?? {}).map(([name, schema]) => [
		name,
		openapiSchemaToJsonSchema(schema),
	]);
	return { schemas: Object.fromEntries(schemas) };
}

/** `#/components/…` means the file; inside a schema compiled by itself it would mean that schema. */
function withAbsoluteReferences(schema: object): object {
	const converted = openapiSchemaToJsonSchema(schema);
	return JSON.parse(JSON.stringify(converted).replaceAll('"$ref":"#/', '"$ref":"openapi#/')) as object;
}
