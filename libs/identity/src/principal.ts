import { errorFactory, sharedErrors } from '@paddock/contract';

/** The roles of users. Every user has `MEMBER`; an administrator assigns the others. */
export const roles = ['MEMBER', 'CLUB_OFFICIAL', 'ORGANISER', 'FEDERATION_OFFICER', 'ADMIN'] as const;

export type Role = (typeof roles)[number];

/**
 * The clubs (UUIDs) that a role covers. CLUB_OFFICIAL and ORGANISER are limited to clubs: without an entry they cover
 * none, so that a missing entry removes permissions and never grants any. The other roles don't use entries.
 */
export type RoleScopes = Partial<Record<Role, { clubIds: readonly string[] }>>;

const known: ReadonlySet<unknown> = new Set(roles);

/** Whether a value is the name of a role. */
export function isRole(value: unknown): value is Role {
	return known.has(value);
}

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
	/** The last authentication of the user in this session, the token's `auth_time`; 1970 if the token has none. */
	readonly authenticatedAt: Date;
	/** The methods of that authentication, the token's `amr` (RFC 8176); `mfa` after a second factor. */
	readonly authenticationMethods: readonly string[];
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

/** Whether the user was authenticated with a second factor within the last `maxAgeMs`. */
export function hasRecentSecondFactor(
	{ authenticatedAt, authenticationMethods }: Principal,
	now: Date,
	maxAgeMs: number,
): boolean {
	return authenticationMethods.includes('mfa') && now.getTime() - authenticatedAt.getTime() <= maxAgeMs;
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

const sharedError = errorFactory(sharedErrors);

type KnownMembers = ReadonlyMap<string, { readonly status: string }>;

/**
 * The member whose status decides whether the account may write. Undefined for an account without a member, and for the
 * federation's office, whose rights do not come from a membership.
 */
export function actingMemberId(principal: Principal): string | undefined {
	return isOfficer(principal) ? undefined : principal.memberId;
}

/**
 * `members` by id; includes the acting member, if any.
 * @throws ApiError MEMBER_NOT_ACTIVE if the member is suspended, not yet approved, deleted or unknown.
 */
export function requireActiveMember(principal: Principal, members: KnownMembers): void {
	const id = actingMemberId(principal);
	if (id !== undefined && members.get(id)?.status !== 'ACTIVE') throw sharedError('MEMBER_NOT_ACTIVE');
}

/**
 * The same with a lookup of the present status, so that a suspension takes effect at once. Call it before the
 * transaction; a write may still complete if the member is suspended during it.
 * @throws ApiError MEMBER_NOT_ACTIVE; errors of `lookUp`
 */
export async function requireActingMember<Call extends { readonly principal: Principal }>(
	call: Call,
	lookUp: (ids: readonly string[], call: Call) => Promise<KnownMembers>,
): Promise<void> {
	const id = actingMemberId(call.principal);
	if (id !== undefined) requireActiveMember(call.principal, await lookUp([id], call));
}
