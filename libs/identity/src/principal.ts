import type { Role, RoleScopes } from './roles.ts';

/** Who is calling, as a verified access token says. Frozen: one object serves all requests with the same token. */
export interface Principal {
	/** UUID, the token's `sub`. */
	readonly userId: string;
	readonly roles: readonly Role[];
	readonly roleScopes: RoleScopes;
	/** UUID of the member that the user is, where the account is linked to one. */
	readonly memberId: string | undefined;
	/** The sign-in that the token came from; its refresh tokens carry the same. */
	readonly sessionId: string;
	/** The token's `jti`. */
	readonly tokenId: string;
	/** The `kid` of the key that signed the token. */
	readonly keyId: string;
	readonly issuedAt: Date;
	readonly expiresAt: Date;
}

/** Whether the caller has at least one of the roles. What the role covers is `roleScopes`' business. */
export function hasRole(principal: Principal, ...anyOf: Role[]): boolean {
	return anyOf.some((role) => principal.roles.includes(role));
}
