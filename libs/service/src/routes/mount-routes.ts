import type { IRouter } from 'express';
import { otherMethod } from './other-method.ts';
import type { Route } from './route.ts';
import { type RouteOptions, routeHandlers } from './route-handlers.ts';

/** Registers routes, literal paths before parameters; a known path with another method is METHOD_NOT_ALLOWED. */
export function mountRoutes<Deps>(
	router: IRouter,
	routes: readonly Route<Deps>[],
	options: RouteOptions<Deps>,
): void {
	for (const [path, group] of byPath(routes)) {
		const expressPath = path.replaceAll(/\{(\w+)\}/g, ':$1');
		for (const route of group) router[route.method](expressPath, ...routeHandlers(route, options));
		const methods = group.map((route) => route.method);
		router.all(expressPath, otherMethod(path, methods));
	}
}

function byPath<Deps>(routes: readonly Route<Deps>[]): [string, Route<Deps>[]][] {
	const groups = Map.groupBy(routes, (route) => route.path);
	for (const [path, group] of groups) {
		const methods = new Set(group.map((route) => route.method));
		if (methods.size < group.length) throw new TypeError(`${path} declares a method twice.`);
	}
	// '{' sorts after every character of a literal segment, so `/countries/active` comes before `/countries/{id}`.
	return [...groups].sort(([a], [b]) => (a < b ? -1 : 1));
}
