import { STATUS_CODES } from 'node:http';
import { commonErrors, type ErrorDefinition } from '@paddock/contract';
import type { z } from 'zod';
import { patchTypes } from '../http/json-body.ts';
import { documentedDeprecation } from '../routes/deprecation.ts';
import { failureSchema } from '../routes/envelope.ts';
import { ignoresUnknown } from '../routes/input.ts';
import { isBodyOptional, mediaTypesOf, type Route } from '../routes/route.ts';
import { type Operation, type Response, withSharedParts } from './components.ts';
import { withExtensions } from './extensions.ts';
import { anyFailure, documentedErrors, failureName, failureResponses, ownCodes } from './failures.ts';
import { withOpenEnumerations } from './open-enumerations.ts';
import { withOpenResponses } from './open-responses.ts';
import { isConditional, parametersOf, successHeaders } from './parameters.ts';
import { componentOf, SchemaConverter } from './schemas.ts';
import { withViews } from './views.ts';

interface OpenApiOptions {
	readonly title: string;
	readonly version: string;
	readonly description: string;
	readonly tags: readonly { name: string; description: string }[];
	readonly routes: readonly Route<never>[];
}

export function openApiDocument({ title, version, description, tags, routes }: OpenApiOptions) {
	const codes = new Set(routes.flatMap((route) => ownCodes(errorsOf(route))));
	const tables = [commonErrors, ...routes.map((route) => route.errors ?? {})];
	const errors = documentedErrors(errorTable(tables), codes);
	const schemas = new SchemaConverter();
	schemas.convert(failureSchema);
	const paths: Record<string, Record<string, Operation>> = {};
	for (const route of routes)
		paths[route.path] = { ...paths[route.path], [route.method]: operationOf(route, schemas, errors) };
	const own = Object.entries(errors).filter(([code]) => codes.has(code));
	const components = {
		securitySchemes: {
			bearer: {
				type: 'http',
				scheme: 'bearer',
				bearerFormat: 'JWT',
				description: 'The `accessToken` of POST /auth/login.',
			},
		},
		responses: {
			[notModified]: { description: 'You have it already.' },
			...failureResponses(Object.fromEntries(own)),
		},
		schemas: { ...schemas.components, ...schemas.derived },
	};
	return {
		openapi: '3.0.3',
		info: { title, version, description },
		servers: [{ url: '/', description: 'This gateway' }],
		tags,
		security: bySecurity,
		...withSharedParts(
			withExtensions(withViews(withOpenEnumerations(withOpenResponses({ components, paths })))),
		),
		'x-error-codes': errors,
	};
}

type Errors = Readonly<Record<string, ErrorDefinition>>;

interface DocumentedError extends ErrorDefinition {
	/** Messages of the same code in other operations. */
	readonly otherMessages?: readonly string[];
}

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

function operationOf(route: Route<never>, schemas: SchemaConverter, errors: Errors): Operation {
	const codes = ownCodes(errorsOf(route));
	const failures = codes.map((code) => errors[code]?.status ?? 500);
	const parameters = parametersOf(route, schemas);
	// Before the body, because components are in the order of their first use.
	const success = successOf(route, schemas);
	return {
		operationId: route.operationId,
		tags: [route.tag],
		summary: route.summary,
		...documentedDeprecation(route.deprecated, route.description),
		...securityOf(route),
		...(typeof route.access === 'object' && 'roles' in route.access
			? { 'x-roles': [...route.access.roles] }
			: {}),
		...(typeof route.cacheControl === 'object' ? { 'x-cache': storable(route) } : {}),
		...(codes.length === 0 ? {} : { 'x-error-codes': codes }),
		...(parameters.length === 0 ? {} : { parameters }),
		...(route.body === undefined
			? {}
			: {
					requestBody: {
						required: !isBodyOptional(route.body),
						content: bodyOf(route, route.body, schemas),
					},
				}),
		responses: {
			...Object.fromEntries(failures.map((status) => [status, response(failureName(status))])),
			[route.status ?? 200]: success,
			...unavailableOf(route, schemas),
			...(isConditional(route) ? { 304: response(notModified) } : {}),
			default: response(anyFailure),
		},
	};
}

function bodyOf({ method, updates }: Route<never>, body: z.ZodType, schemas: SchemaConverter) {
	const schema = updates ? schemas.patched(body) : schemas.convert(body);
	const types = method === 'patch' ? patchTypes : ['application/json'];
	return Object.fromEntries(types.map((type) => [type, { schema }]));
}

/** What the gateway stores the responses by: the path, and the query or those of its parameters that are read. */
function storable({ query }: Route<never>): { readonly parameters?: readonly string[] } {
	return query !== undefined && ignoresUnknown(query) ? { parameters: Object.keys(query.shape) } : {};
}

const response = (name: string) => ({ $ref: componentOf('responses', name) });

function successOf(route: Route<never>, schemas: SchemaConverter): Response {
	const [type, alternative] = mediaTypesOf(route);
	const schema =
		route.document === undefined
			? schemas.enveloped(route.output, route.operationId)
			: schemas.convert(route.output);
	return {
		description: STATUS_CODES[route.status ?? 200],
		...successHeaders(route),
		content: {
			[type]: { schema },
			...(alternative === undefined ? {} : { [alternative]: { schema: { type: 'string' } } }),
		},
	};
}

/** The 503 of a route that reports something as unavailable; its failures have the same status. */
function unavailableOf(
	{ unavailableIf, output, operationId }: Route<never>,
	schemas: SchemaConverter,
): Record<number, Response> {
	if (unavailableIf === undefined) return {};
	const schema = schemas.unavailable(output, operationId, failureSchema);
	return {
		503: {
			description: 'Unavailable, with the same data; or a failure, with a `Retry-After`',
			content: { 'application/json': { schema } },
		},
	};
}

// The default security of an operation.
const bySecurity = [{ bearer: [] }];

function securityOf({ access, tokenOptional }: Route<never>): { security?: Record<string, string[]>[] } {
	if (access !== 'public') return {};
	return { security: tokenOptional === undefined ? [] : [{}, ...bySecurity] };
}

/** The codes implied by a declaration, and those that it names. */
function errorsOf(route: Route<never>): Record<string, ErrorDefinition> {
	const codes: (keyof typeof commonErrors)[] = ['INVALID_QUERY_PARAMETER'];
	if (route.params !== undefined) codes.push('INVALID_ID');
	if (route.params !== undefined && route.status !== 308) codes.push('NOT_FOUND');
	if (route.body !== undefined || route.precondition === true) codes.push('VALIDATION_ERROR');
	if (route.access !== 'public')
		codes.push('UNAUTHENTICATED', 'INVALID_TOKEN', 'TOKEN_EXPIRED', 'TOKEN_REVOKED');
	if (route.access === 'signedIn' && route.unverifiedToo !== true) codes.push('EMAIL_NOT_VERIFIED');
	if (typeof route.access === 'object') codes.push('FORBIDDEN');
	if (route.precondition === true) codes.push('PRECONDITION_FAILED');
	if (route.updates) codes.push('CONFLICT');
	if (route.idempotent === true) codes.push('IDEMPOTENCY_KEY_REUSED');
	// Of `exactTotal`, for all but the office.
	if (route.query !== undefined && 'exactTotal' in route.query.shape) codes.push('FORBIDDEN');
	return { ...Object.fromEntries(codes.map((code) => [code, commonErrors[code]])), ...route.errors };
}
