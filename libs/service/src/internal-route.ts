import type { Route } from './route.ts';

/** Prefix of the paths between services: not routed by the gateway, not documented. */
const internalPrefix = '/internal/';

/** Whether a route is for other services only. */
export function isInternalRoute(route: Pick<Route<never>, 'path'>): boolean {
	return route.path.startsWith(internalPrefix);
}

/**
 * Separates the two kinds of routes: a service route that accepts a user's token, or a user route that requires a
 * service's token, is a declaration error.
 * @throws TypeError naming the route.
 */
export function checkInternalAccess(route: Pick<Route<never>, 'path' | 'access' | 'operationId'>): void {
	const asksForScope = typeof route.access === 'object' && 'scope' in route.access;
	if (isInternalRoute(route) ? asksForScope || route.access === 'public' : !asksForScope) return;
	throw new TypeError(
		`${route.operationId}: a scope is for paths below ${internalPrefix}, and nothing else but public is for them.`,
	);
}
