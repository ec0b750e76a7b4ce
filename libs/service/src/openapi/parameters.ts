import type { z } from 'zod';
import { withFormerParameter } from '../routes/former-names.ts';
import { idempotencyKeyPattern } from '../routes/idempotency-key.ts';
import type { ParameterSchema, Route } from '../routes/route.ts';
import { cacheControlText, type SharedFreshness } from '../routes/shared-freshness.ts';
import type { Parameter } from './components.ts';
import type { SchemaConverter } from './schemas.ts';

/** The parameters of an operation: of its path, its query, and its request headers. */
export function parametersOf(route: Route<never>, schemas: SchemaConverter): readonly Parameter[] {
	return [
		...declared('path', route.params, schemas),
		...sortableBy(route, declared('query', route.query, schemas), schemas),
		...requestHeaders(route),
	];
}

function declared(
	place: 'path' | 'query',
	parameters: ParameterSchema | undefined,
	schemas: SchemaConverter,
): readonly Parameter[] {
	return Object.entries(parameters?.shape ?? {}).flatMap(([name, part]) => {
		const { param, description, allOf, ...schema } = schemas.convert(part as z.ZodType);
		return withFormerParameter({
			schema: { ...(allOf as readonly object[] | undefined)?.[0], ...schema },
			...(description === undefined ? {} : { description }),
			...(param as object),
			name,
			in: place,
			...((part as z.ZodType).isOptional() ? {} : { required: true }),
		});
	});
}

/** The parameters of a list with a name for the values to sort by. */
function sortableBy(
	{ output }: Route<never>,
	parameters: readonly Parameter[],
	schemas: SchemaConverter,
): readonly Parameter[] {
	const [, record] = /^(\w+)Page$/.exec(String(output.meta()?.id)) ?? [];
	if (record === undefined) return parameters;
	return parameters.map((parameter) => {
		const { items, ...rules } = parameter.schema;
		if (parameter.name !== 'sort' || items === undefined) return parameter;
		return { ...parameter, schema: { ...rules, items: schemas.sortedBy(record, items) } };
	});
}

function requestHeaders(route: Route<never>): readonly Parameter[] {
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
	return described.map(([name, { description, ...rule }]) => ({
		schema: { type: 'string', ...rule },
		description,
		name,
		in: 'header',
	}));
}

/** Whether a response can be 304. */
export function isConditional({ method, etag }: Route<never>): boolean {
	return method === 'get' && etag !== undefined;
}

function only<Value>(applies: boolean | undefined, name: string, value: Value): (readonly [string, Value])[] {
	return applies === true ? [[name, value]] : [];
}

export function successHeaders({ location, etag, cacheControl, deprecated }: Route<never>) {
	const texts = [
		...only(location !== undefined, 'Location', 'The address of the created or moved resource.'),
		...only(etag !== undefined, 'ETag', 'The entity tag of the data.'),
		...(typeof cacheControl === 'object' ? sharedCacheHeaders(cacheControl) : []),
		...only(deprecated !== undefined, 'Deprecation', 'The instant of the deprecation, as in RFC 9745.'),
		...only(deprecated !== undefined, 'Sunset', 'The day of the removal at the earliest, as in RFC 8594.'),
	];
	const headers = texts.map(([name, description]) => [name, { description, schema: { type: 'string' } }]);
	return headers.length === 0 ? {} : { headers: Object.fromEntries(headers) };
}

function sharedCacheHeaders(freshness: SharedFreshness) {
	return [
		['Cache-Control', `How long a copy may be used: \`${cacheControlText(freshness)}\`.`],
		['Age', 'Seconds since the service sent it; present if it comes from a cache.'],
		['Cache-Status', 'Whether the gateway’s cache had it (RFC 9211).'],
	] as const;
}
