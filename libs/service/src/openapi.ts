import {
	extendZodWithOpenApi,
	OpenAPIRegistry,
	OpenApiGeneratorV3,
	type RouteConfig,
} from '@asteasolutions/zod-to-openapi';
import { commonErrors, type ErrorDefinition } from '@paddock/contract';
import { z } from 'zod';
import { documentedDeprecation } from './deprecation.ts';
import { envelopeOf, failureSchema } from './envelope.ts';
import { idempotencyKeyPattern } from './idempotency-key.ts';
import { type Described, withSharedComponents } from './openapi-components.ts';
import { errorCodes } from './openapi-failures.ts';
import { mediaTypesOf, type Route } from './route.ts';
import { cacheControlText, type SharedFreshness } from './shared-freshness.ts';

export interface OpenApiOptions {
	readonly title: string;
	readonly version: string;
	readonly description: string;
	readonly tags: readonly { name: string; description: string }[];
	/** The routes of all contexts and of the gateway. */
	readonly routes: readonly Route<never>[];
}

// Adds the method that the generator calls to all schemas created after this, see `parameters`.
extendZodWithOpenApi(z);

type Document = ReturnType<OpenApiGeneratorV3['generateDocument']>;

/** The OpenAPI 3.0.3 document of all declared routes. */
export function openApiDocument(options: OpenApiOptions) {
	const registry = new OpenAPIRegistry();
	registry.registerComponent('securitySchemes', 'bearer', {
		type: 'http',
		scheme: 'bearer',
		bearerFormat: 'JWT',
		description: 'The `accessToken` of POST /auth/login.',
	});
	registry.registerComponent('responses', notModified, { description: 'You have it already.' });
	registry.register('Failure', madeAnew(failureSchema));
	for (const route of options.routes) registry.registerPath(operationOf(route));
	const document = new OpenApiGeneratorV3(registry.definitions).generateDocument({
		openapi: '3.0.3',
		info: { title: options.title, version: options.version, description: options.description },
		servers: [{ url: '/', description: 'This gateway' }],
		tags: [...options.tags],
		security: bySecurity,
	});
	const tables = [commonErrors, ...options.routes.map((route) => route.errors ?? {})];
	return withSharedComponents(tidied(document) as unknown as Described, errorTable(tables));
}

type Errors = Readonly<Record<string, ErrorDefinition>>;

interface DocumentedError extends ErrorDefinition {
	/** Messages of the same code in other operations. */
	readonly otherMessages?: readonly string[];
}

/** All errors by code. */
function errorTable(tables: readonly Errors[]): Readonly<Record<string, DocumentedError>> {
	const definitions = Map.groupBy(
		tables.flatMap((table) => Object.entries(table)),
		([code]) => code,
	);
	return Object.fromEntries(
		[...definitions].map(([code, entries]) => {
			const statuses = new Set(entries.map(([, { status }]) => status));
			if (statuses.size > 1) throw new TypeError(`${code} has the statuses ${[...statuses].join(' and ')}.`);
			const [message = '', ...otherMessages] = new Set(entries.map((entry) => entry[1].message));
			const error = { status: entries[0]?.[1].status ?? 500, message };
			return [code, otherMessages.length === 0 ? error : { ...error, otherMessages }];
		}),
	);
}

const notModified = 'NotModified';

/**
 * Removes two outputs of the generator: `nullable: true` without a type, which OpenAPI 3.0.3 doesn't allow, and the
 * copy of a parameter's description in its schema.
 */
function tidied(document: Document): Document {
	return JSON.parse(JSON.stringify(document, tidy)) as Document;
}

function tidy(_key: string, value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (JSON.stringify(value) === '{"nullable":true}') return {};
	if (!('in' in value && 'schema' in value)) return value;
	const { required, ...parameter } = value as { required?: boolean };
	const { description: _repeated, ...schema } = value.schema as { description?: string };
	return { ...parameter, ...(required === true ? { required } : {}), schema };
}

function operationOf(route: Route<never>): RouteConfig {
	const success = String(route.status ?? 200);
	const schema = route.document === undefined ? envelopeOf(route.output) : route.output;
	const [type, alternative] = mediaTypesOf(route);
	return {
		method: route.method,
		path: route.path,
		operationId: route.operationId,
		tags: [route.tag],
		summary: route.summary,
		...documentedDeprecation(route.deprecated, route.description),
		...securityOf(route),
		...(typeof route.access === 'object' && 'roles' in route.access
			? { 'x-roles': [...route.access.roles] }
			: {}),
		request: {
			...(route.params === undefined ? {} : { params: parameters(route.params) }),
			...(route.query === undefined ? {} : { query: parameters(route.query) }),
			...requestHeaders(route),
			...(route.body === undefined
				? {}
				: { body: { required: true, content: { 'application/json': { schema: route.body } } } }),
		},
		responses: {
			[success]: {
				description: typeof route.message === 'string' ? route.message : route.summary,
				...successHeaders(route),
				content: {
					[type]: { schema },
					...(alternative === undefined ? {} : { [alternative]: { schema: z.string() } }),
				},
			},
			...unavailable(route),
			...(isConditional(route) ? { 304: { $ref: `#/components/responses/${notModified}` } } : {}),
		},
		...errorCodes(errorsOf(route)),
	};
}

/** The 503 of a route that reports something as unavailable; its failures have the same status. */
function unavailable({ unavailableIf, output }: Route<never>): RouteConfig['responses'] {
	if (unavailableIf === undefined) return {};
	const report = envelopeOf(output, 'Not available').extend({
		success: z.literal(false).describe('False: not usable now.'),
	});
	const id = output.meta()?.id;
	const named =
		id === undefined
			? report
			: report.meta({ id: `${id}Unavailable`, description: 'The same data with the status 503.' });
	return {
		503: {
			description: 'Unavailable, with the same data; or a failure, with a `Retry-After`',
			content: { 'application/json': { schema: z.union([named, failureSchema]) } },
		},
	};
}

// The default security of an operation.
const bySecurity = [{ bearer: [] }];

function securityOf({ access, tokenOptional }: Route<never>): { security?: Record<string, string[]>[] } {
	if (access !== 'public') return {};
	return { security: tokenOptional === undefined ? [] : [{}, ...bySecurity] };
}

function parameters(schema: z.ZodObject): z.ZodObject {
	return z.object(
		Object.fromEntries(Object.entries(schema.shape).map(([name, part]) => [name, madeAnew(part)])),
	);
}

/** A clone with the generator's method: a module may have created its schemas before this one was loaded. */
function madeAnew<T extends z.core.$ZodType>(schema: T): T {
	return (z.clone(schema, schema._zod.def) as T & z.ZodType).meta({ ...z.globalRegistry.get(schema) }) as T;
}

function requestHeaders(route: Route<never>) {
	const described: readonly (readonly [name: string, meta: { description: string; pattern?: string }])[] = [
		...Object.entries(route.headers ?? {}).map(([name, description]) => [name, { description }] as const),
		...only(route.mayLag, 'Cache-Control', {
			description:
				'With `no-cache` the data are current; otherwise they may lack the latest writes, if a read replica is configured.',
		}),
		...only(route.idempotent, 'Idempotency-Key', {
			pattern: idempotencyKeyPattern,
			description:
				'A name of your own for this request, such as a UUID. Sent again with the same key and body within a day, it has no second effect and gets the same response.',
		}),
		...only(route.precondition, 'If-Match', {
			description: 'The ETag of the state that you change; stale = 412.',
		}),
		...only(isConditional(route), 'If-None-Match', {
			description: 'The ETag that you have; unchanged = 304.',
		}),
	];
	const headers = described.map(([name, meta]) => [name, z.string().optional().meta(meta)]);
	return headers.length === 0 ? {} : { headers: z.object(Object.fromEntries(headers)) };
}

/** Whether a response can be 304. */
function isConditional({ method, etag }: Route<never>): boolean {
	return method === 'get' && etag !== undefined;
}

function only<Value>(applies: boolean | undefined, name: string, value: Value): (readonly [string, Value])[] {
	return applies === true ? [[name, value]] : [];
}

function successHeaders({ location, etag, cacheControl, deprecated }: Route<never>) {
	const texts = [
		...only(location !== undefined, 'Location', 'The address of the created or moved resource.'),
		...only(etag !== undefined, 'ETag', 'The entity tag of the data.'),
		...(typeof cacheControl === 'object' ? sharedCacheHeaders(cacheControl) : []),
		...only(deprecated !== undefined, 'Deprecation', 'The instant of the deprecation, as in RFC 9745.'),
		...only(deprecated !== undefined, 'Sunset', 'The day of the removal at the earliest, as in RFC 8594.'),
	];
	const headers = texts.map(([name, description]) => [
		name,
		{ description, schema: { type: 'string' as const } },
	]);
	return headers.length === 0 ? {} : { headers: Object.fromEntries(headers) };
}

function sharedCacheHeaders(freshness: SharedFreshness) {
	return [
		['Cache-Control', `How long a copy may be used: \`${cacheControlText(freshness)}\`.`],
		['Age', 'Seconds since the service sent it; present if it comes from a cache.'],
		['Cache-Status', 'Whether the gateway’s cache had it (RFC 9211).'],
	] as const;
}

/** The codes implied by a declaration, and those that it names. */
function errorsOf(route: Route<never>): Record<string, ErrorDefinition> {
	const codes: (keyof typeof commonErrors)[] = ['INVALID_QUERY_PARAMETER'];
	if (route.params !== undefined) codes.push('INVALID_ID');
	if (route.params !== undefined && route.status !== 308) codes.push('NOT_FOUND');
	if (route.body !== undefined || route.precondition === true) codes.push('VALIDATION_ERROR');
	if (route.access !== 'public')
		codes.push('UNAUTHENTICATED', 'INVALID_TOKEN', 'TOKEN_EXPIRED', 'TOKEN_REVOKED');
	if (typeof route.access === 'object') codes.push('FORBIDDEN');
	if (route.precondition === true) codes.push('PRECONDITION_FAILED');
	if (route.idempotent === true) codes.push('IDEMPOTENCY_KEY_REUSED');
	return { ...Object.fromEntries(codes.map((code) => [code, commonErrors[code]])), ...route.errors };
}
