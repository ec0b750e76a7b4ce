import { envelopeOf, failureSchema, type Route, withPresentNames } from '@paddock/service';
import { openApiDocument } from '@paddock/service/openapi';
import { codeOf, declaresFailure } from './declared-failures.ts';

/** A received response and its request. */
export interface ObservedResponse {
	readonly method: string;
	/** Request path with its query. */
	readonly path: string;
	readonly status: number;
	readonly headers: Headers;
	readonly json: unknown;
}

/** Test files share the document of a context, whose opening may add routes to a new array: by the first route and all names. */
const documents = new WeakMap<Route<never>, Map<string, ReturnType<typeof openApiDocument>>>();

function documentOf(routes: readonly Route<never>[]): ReturnType<typeof openApiDocument> {
	const ofContext = (routes[0] && documents.get(routes[0])) ?? new Map<string, never>();
	const names = routes.map(({ operationId }) => operationId).join(' ');
	const document =
		ofContext.get(names) ??
		openApiDocument({ title: 'Under test', version: '0', description: '', tags: [], routes });
	ofContext.set(names, document);
	if (routes[0]) documents.set(routes[0], ofContext);
	return document;
}

/** Statuses of responses to requests that match no route. */
const unroutedStatuses = new Set([400, 404, 405]);

/**
 * Makes a function that compares a response with the declaration of its route. It throws if the status isn't declared or
 * the body doesn't match the schema. It returns the route; undefined if no route matches.
 */
export function checkDeclared<Deps>(
	routes: readonly Route<Deps>[],
): (response: ObservedResponse) => Route<Deps> | undefined {
	const document = documentOf(routes as readonly Route<never>[]);
	const literalsFirst = [...routes].sort((a, b) => (a.path < b.path ? -1 : 1));
	const patterns = new Map(literalsFirst.map((route) => [route, pattern(route.path)]));
	return (response) => {
		const [pathname = ''] = response.path.split('?');
		const method = response.method === 'HEAD' ? 'get' : response.method.toLowerCase();
		const atPath = literalsFirst.filter((route) => patterns.get(route)?.test(pathname));
		const route = atPath.find(
			(candidate) => candidate.path === atPath[0]?.path && candidate.method === method,
		);
		const exchange = `${response.method} ${response.path} returned ${response.status}`;
		if (route === undefined) {
			if (!unroutedStatuses.has(response.status)) throw new Error(`${exchange}, but no route matches.`);
			checkFailure(response, exchange);
			return undefined;
		}
		const operation = document.paths[route.path]?.[route.method];
		const isFailure = response.status >= 400;
		if (!isFailure && operation?.responses[response.status] === undefined)
			throw new Error(`${exchange}, which ${route.operationId} does not declare.`);
		if (response.status === 304 || response.method === 'HEAD') return route;
		if (!isFailure) checkSuccess(response, route, exchange);
		else if (!declaresFailure(document, operation ?? {}, response.status, checkFailure(response, exchange)))
			throw new Error(`${exchange} ${codeOf(response.json)}, which ${route.operationId} does not declare.`);
		return route;
	};
}

function checkSuccess<Deps>(response: ObservedResponse, route: Route<Deps>, exchange: string): void {
	const schema = route.document === undefined ? envelopeOf(route.output) : route.output;
	const result = schema.safeParse(withPresentNames(schema, response.json));
	if (!result.success)
		throw new Error(`${exchange}, but the body does not match the schema: ${result.error.message}`);
	if (route.location !== undefined && !response.headers.has('Location'))
		throw new Error(`${exchange} without a Location.`);
}

/** @returns the code */
function checkFailure(response: ObservedResponse, exchange: string): string {
	const result = failureSchema.safeParse(response.json);
	if (!result.success)
		throw new Error(`${exchange}, but the body is not a failure envelope: ${result.error.message}`);
	if (result.data.data.status !== response.status)
		throw new Error(`${exchange}, but the body has another status.`);
	return result.data.data.code;
}

function pattern(path: string): RegExp {
	return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}
