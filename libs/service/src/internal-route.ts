import type { Route } from './route.ts';

/** Below it lie the addresses that services keep for each other: behind no prefix of the gateway, in no document. */
const internalPrefix = '/internal/';

/** Whether a route is for other services only. */
export function isInternalRoute(route: Pick<Route<never>, 'path'>): boolean {
	return route.path.startsWith(internalPrefix);
}

/**
 * Keeps the two kinds of routes apart: a route for services that a person's token opened, or one for people that asks for
 * a service's token, would be a slip of the declaration.
 * @throws TypeError naming the route.
 */
export function checkInternalAccess(route: Pick<Route<never>, 'path' | 'access' | 'operationId'>): void {
	const asksForScope = typeof route.access === 'object' && 'scope' in route.access;
	if (isInternalRoute(route) ? asksForScope || route.access === 'public' : !asksForScope) return;
	throw new TypeError(
		`${route.operationId}: a scope is for paths below ${internalPrefix}, and nothing else but public is for them.`,
	);
}
