import type { Role } from '@paddock/identity';
import type { Route } from './route.ts';

/**
 * The callers that may use a route. `public`: any caller, a valid token is still read; `signedIn`: any valid token of an
 * account with a verified address;
 * `roles`: a valid token with at least one of them. The handler checks the scope of a role (which club, which record).
 * `scope`: a service's own token with this scope, never a user's token; only for paths below `/internal/`.
 */
export type Access =
	| 'public'
	| 'signedIn'
	| { readonly roles: readonly [Role, ...Role[]] }
	| { readonly scope: string };

export const officersOnly = { roles: ['FEDERATION_OFFICER', 'ADMIN'] } as const satisfies Access;

export const administratorsOnly = { roles: ['ADMIN'] } as const satisfies Access;

/** Prefix of the paths between services: not routed by the gateway, not documented. */
const internalPrefix = '/internal/';

export function isInternalRoute(route: Pick<Route<never>, 'path'>): boolean {
	return route.path.startsWith(internalPrefix);
}

/** @throws TypeError for an internal route with a user's token, or another one with a service's or a text as its body */
export function checkInternalAccess(
	route: Pick<Route<never>, 'path' | 'access' | 'operationId' | 'textBody'>,
): void {
	if (route.textBody !== undefined && !isInternalRoute(route))
		throw new TypeError(`${route.operationId}: documents describe bodies in JSON only.`);
	const asksForScope = typeof route.access === 'object' && 'scope' in route.access;
	if (isInternalRoute(route) ? asksForScope || route.access === 'public' : !asksForScope) return;
	throw new TypeError(
		`${route.operationId}: a scope is for paths below ${internalPrefix}, and nothing else but public is for them.`,
	);
}
