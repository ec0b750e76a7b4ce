import type { Role } from '@paddock/identity';

/**
 * The callers that may use a route. `public`: any caller, a valid token is still read; `signedIn`: any valid token;
 * `roles`: a valid token with at least one of them. The handler checks the scope of a role (which club, which record).
 * `scope`: a service's own token with this scope, never a user's token; only for paths below `/internal/`.
 */
export type Access =
	| 'public'
	| 'signedIn'
	| { readonly roles: readonly [Role, ...Role[]] }
	| { readonly scope: string };

/** For routes restricted to the federation's office. */
export const officersOnly = { roles: ['FEDERATION_OFFICER', 'ADMIN'] } as const satisfies Access;

/** For routes restricted to administrators. */
export const administratorsOnly = { roles: ['ADMIN'] } as const satisfies Access;
