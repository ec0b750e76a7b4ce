import type { Role } from '@paddock/identity';

/**
 * Who may call a route. `public`: anybody, a valid token is still read; `signedIn`: any valid token;
 * `roles`: a valid token with at least one of them. What a role covers (which club, which record) is the handler's rule.
 * `scope`: a service's own token with this scope, and no person's token at all; only for paths below `/internal/`.
 */
export type Access =
	| 'public'
	| 'signedIn'
	| { readonly roles: readonly [Role, ...Role[]] }
	| { readonly scope: string };

/** For the routes that the federation's office alone may use. */
export const officersOnly = { roles: ['FEDERATION_OFFICER', 'ADMIN'] } as const satisfies Access;

/** For the routes that administrators alone may use. */
export const administratorsOnly = { roles: ['ADMIN'] } as const satisfies Access;
