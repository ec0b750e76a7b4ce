import { randomUUID } from 'node:crypto';
import { ApiError } from '@paddock/contract';
import type { Route } from '@paddock/service';
import { z } from 'zod';
import { parseInput } from '../../libs/service/src/routes/input.ts';
import { updateOf } from '../../libs/service/src/routes/update.ts';
import { declaredRoutes } from '../../scripts/contexts/context-routes.ts';
import type { System } from '../system.ts';

/** The contexts whose every route is tried here. */
export const triedContexts = ['auth', 'masterdata', 'ping'] as const;

/** Every route of theirs that can be reached through the gateway. */
export const triedRoutes: readonly Route<never>[] = triedContexts.flatMap(
	(name) => declaredRoutes[name] ?? [],
);

/** Its name in a list of tests. */
export const titleOf = ({ method, path }: Route<never>): string => `${method.toUpperCase()} ${path}`;

/** A valid body of the route, as in its documentation; undefined without one. */
export function exampleBody(route: Route<never>): Record<string, unknown> | undefined {
	const example: unknown = Reflect.get(route.body?.meta() ?? {}, 'example');
	return typeof example === 'object' && example !== null ? { ...example } : undefined;
}

/** The field names of the route's body. @throws TypeError if the body is not an object */
export function bodyFields({ body }: Route<never>): string[] {
	if (!(body instanceof z.ZodObject)) throw new TypeError('The body is no object.');
	return Object.keys(body.shape);
}

/** The names of the parameters that the route's query may have. */
export const queryNames = (route: Route<never>): string[] => Object.keys(route.query?.shape ?? {});

/** A path in which each parameter is what `parameter` says. */
export function pathWith(route: Route<never>, parameter: (name: string) => string): string {
	return route.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => parameter(name));
}

/** What a route gets of a request: the path parameters, the raw text after `?`, the parsed body. */
export interface RouteInput {
	readonly params: Readonly<Record<string, string>>;
	readonly search: string;
	readonly body?: unknown;
}

/**
 * How the schemas of a route refuse an input, without a request, which takes a hundred times as long. Undefined if they
 * accept it: then only a request shows what the handler does with it.
 * @throws what isn't a refusal
 */
export function refusalOf(route: Route<never>, { body, ...input }: RouteInput): ApiError | undefined {
	try {
		parseInput(route, { ...input, body });
		if (route.updates === true) updateOf(route, body);
		return undefined;
	} catch (error) {
		if (error instanceof ApiError && error.status < 500) return error;
		throw error;
	}
}

/** The path parameters in a path of the route. */
export function paramsIn(path: string, route: Route<never>): Record<string, string> {
	const segments = path.split('/');
	const names = route.path.split('/').map((segment, at) => [segment, segments[at] ?? ''] as const);
	return Object.fromEntries(
		names.flatMap(([segment, value]) => (segment.startsWith('{') ? [[segment.slice(1, -1), value]] : [])),
	);
}

/**
 * The path of a route's record that there is: the first one of the list that the path begins with, as the gateway shows
 * it to this token.
 * @throws Error where that list is empty.
 */
export async function existingPath(system: System, route: Route<never>, token: string): Promise<string> {
	let path = '';
	for (const segment of route.path.split('/').slice(1)) {
		path += /^\{/.test(segment) ? `/${await firstId(system, path, segment, token)}` : `/${segment}`;
	}
	return path;
}

/** Lists of the caller's own records, of which a new system has none, or only the caller's session: an id of no record stands for one. */
const emptyLists: ReadonlySet<string> = new Set([
	'/auth/second-factors',
	'/auth/sessions',
	'/auth/member-links',
	'/auth/oidc/identities',
]);

async function firstId(system: System, list: string, parameter: string, token: string): Promise<string> {
	// The second is the former address.
	const from = list.replace(/\/(by-code|iso)$/, '');
	const isByCode = from !== list;
	const response = await fetch(`${system.gateway.url}${from}?size=1`, {
		headers: { Authorization: `Bearer ${token}` },
	});
	const { data } = (await response.json()) as { data: { items?: Record<string, string>[] } };
	const id = data.items?.[0]?.[isByCode ? 'isoAlpha2' : 'id'];
	if (id === undefined && emptyLists.has(from)) return randomUUID();
	if (id === undefined) throw new Error(`${from} has nothing that could stand for ${parameter}`);
	return id;
}
