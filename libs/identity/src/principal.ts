import type { Role, RoleScopes } from './roles.ts';

/** The caller, from a verified access token. Frozen: one object serves all requests with the same token. */
export interface Principal {
	/** UUID, the token's `sub`. */
	readonly userId: string;
	readonly roles: readonly Role[];
	readonly roleScopes: RoleScopes;
	/** The permissions of a service at other services, such as `members:lookup`; empty for users. */
	readonly scopes: readonly string[];
	/** UUID of the member linked to the account, if there is one. */
	readonly memberId: string | undefined;
	/** UUID of the sign-in that issued the token; its refresh tokens carry the same. */
	readonly sessionId: string;
	/** The version of the account from which roles, scopes and member were read; 0 if the token has no version. */
	readonly accountVersion: number;
	/** The token's `jti`, a UUID. */
	readonly tokenId: string;
	/** The `kid` of the key that signed the token. */
	readonly keyId: string;
	readonly issuedAt: Date;
	readonly expiresAt: Date;
}

/** Whether the caller has at least one of the roles. `clubsCovered` returns the scope of a role. */
export function hasRole(principal: Principal, ...anyOf: Role[]): boolean {
	return anyOf.some((role) => principal.roles.includes(role));
}

/** Whether the caller belongs to the federation's office, which has all permissions. */
export function isOfficer(principal: Principal): boolean {
	return hasRole(principal, 'FEDERATION_OFFICER', 'ADMIN');
}

/**
 * The clubs (UUIDs) for which the caller may act in this role: those of the role's scope; none without a scope or
 * without the role. For a role without scopes (officers, administrators) use `hasRole`.
 */
export function clubsCovered(
	principal: Pick<Principal, 'roles' | 'roleScopes'>,
	role: Role,
): readonly string[] {
	if (!principal.roles.includes(role)) return [];
	return principal.roleScopes[role]?.clubIds ?? [];
}

/** Whether the caller is an official of that club; false without a club. */
export function isClubOfficial(principal: Principal, clubId: string | null): boolean {
	return clubId !== null && clubsCovered(principal, 'CLUB_OFFICIAL').includes(clubId);
}
