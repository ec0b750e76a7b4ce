import type { Role, RoleScopes } from './roles.ts';

/** Who is calling, as a verified access token says. Frozen: one object serves all requests with the same token. */
export interface Principal {
	/** UUID, the token's `sub`. */
	readonly userId: string;
	readonly roles: readonly Role[];
	readonly roleScopes: RoleScopes;
	/** What a service may ask of another one, such as `members:lookup`; empty for people. */
	readonly scopes: readonly string[];
	/** UUID of the member that the user is, where the account is linked to one. */
	readonly memberId: string | undefined;
	/** UUID of the sign-in that the token came from; its refresh tokens carry the same. */
	readonly sessionId: string;
	/** The version of the account whose roles, scopes and member the token shows; 0 in a token that doesn't say. */
	readonly accountVersion: number;
	/** The token's `jti`, a UUID. */
	readonly tokenId: string;
	/** The `kid` of the key that signed the token. */
	readonly keyId: string;
	readonly issuedAt: Date;
	readonly expiresAt: Date;
}

/** Whether the caller has at least one of the roles. What the role covers is told by `clubsCovered`. */
export function hasRole(principal: Principal, ...anyOf: Role[]): boolean {
	return anyOf.some((role) => principal.roles.includes(role));
}

/**
 * The clubs (UUIDs) that the caller may act for in this role: those of the role's scope, none without a scope and none
 * when the role isn't held. A role that covers everything (officers, administrators) is asked about with `hasRole`.
 */
export function clubsCovered(
	principal: Pick<Principal, 'roles' | 'roleScopes'>,
	role: Role,
): readonly string[] {
	if (!principal.roles.includes(role)) return [];
	return principal.roleScopes[role]?.clubIds ?? [];
}
