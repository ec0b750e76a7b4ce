import { apiError } from '@paddock/contract';
import type { IRouter, Request, RequestHandler, Response } from 'express';
import { endResponse } from '../http/http-messages.ts';
import { patchTypes } from '../http/json-body.ts';
import { requestContextOf } from '../http/request-context.ts';
import type { Route, RouteMethod } from './route.ts';
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

/** Responds to the other methods of `path`: to OPTIONS with the allowed ones, for any caller, else METHOD_NOT_ALLOWED. */
export function otherMethod(path: string, own: readonly RouteMethod[]): RequestHandler {
	const methods = own.flatMap((method) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
	const allow = [...methods, 'OPTIONS'].join(', ');
	return function otherMethod(req: Request, res: Response): void {
		requestContextOf(req).route = path;
		if (req.method !== 'OPTIONS') throw apiError('METHOD_NOT_ALLOWED', { headers: { Allow: allow } });
		res.setHeader('Allow', allow);
		if (own.includes('patch')) res.setHeader('Accept-Patch', patchTypes.join(', '));
		res.status(204);
		endResponse(res, undefined);
	};
}
