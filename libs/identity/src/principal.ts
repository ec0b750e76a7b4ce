import { errorFactory, sharedErrors } from '@paddock/contract';

/** The roles of users. Every user has `MEMBER`; an administrator assigns the others. */
export const roles = ['MEMBER', 'CLUB_OFFICIAL', 'ORGANISER', 'FEDERATION_OFFICER', 'ADMIN'] as const;

export type Role = (typeof roles)[number];

/** The clubs (UUIDs) that CLUB_OFFICIAL and ORGANISER cover: none without an entry. The other roles don't use entries. */
export type RoleScopes = Partial<Record<Role, { clubIds: readonly string[] }>>;

const known: ReadonlySet<unknown> = new Set(roles);

export function isRole(value: unknown): value is Role {
	return known.has(value);
}

export interface ClubMembers {
	readonly clubId: string;
	readonly memberIds: readonly string[];
}

/** Members that an account represents as guardian or contact; bounds the length of its tokens. */
export const representedMax = 20;

/** The caller, from a verified access token. Frozen: one object serves all requests with the same token. */
export interface Principal {
	/** UUID, the token's `sub`. */
	readonly userId: string;
	readonly roles: readonly Role[];
	readonly roleScopes: RoleScopes;
	/** The permissions of a service at other services, such as `members:lookup`; empty for users. */
	readonly scopes: readonly string[];
	/** UUID of the member that the account belongs to, if there is one. */
	readonly memberId: string | undefined;
	/** UUIDs of the minors for whom the caller is guardian. No token outlives the minority of one of them. */
	readonly guardianOf: readonly string[];
	/** The members for whom the caller is the contact of their club. */
	readonly contactFor: readonly ClubMembers[];
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

/** The clubs (UUIDs) for which the caller may act in this role, by its scope. For officers and administrators use `hasRole`. */
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

/** The member of the account and the minors for whom the caller is guardian. */
export function membersActedFor({ memberId, guardianOf }: ActingAccount): readonly string[] {
	return memberId === undefined ? guardianOf : [memberId, ...guardianOf];
}

type ActingAccount = Pick<Principal, 'memberId' | 'guardianOf'>;

/**
 * Whether the caller acts as this member: the account belongs to the member, or the caller is the guardian. Every right of a
 * member over own records is decided by this function; false without a member.
 */
export function actsFor(
	principal: ActingAccount,
	memberId: string | null | undefined,
	guardianMemberId?: string | null,
): boolean {
	if (memberId === null || memberId === undefined) return false;
	const isSelf = memberId === principal.memberId;
	const isGuardian = principal.guardianOf.includes(memberId);
	const isGuardianOfRecord = principal.memberId !== undefined && guardianMemberId === principal.memberId;
	return isSelf || isGuardian || isGuardianOfRecord;
}

/** Of these members, those that the caller acts for. */
export function actedFor(principal: ActingAccount, memberIds: readonly (string | null)[]): readonly string[] {
	return memberIds.filter((id): id is string => actsFor(principal, id));
}

/** The member on whose behalf the caller acts on a record of these members; otherwise the account's own, if it has one. */
export function actingMember(
	principal: ActingAccount,
	memberIds: readonly (string | null)[],
): string | undefined {
	const own = principal.memberId;
	if (own !== undefined && memberIds.includes(own)) return own;
	return actedFor(principal, memberIds)[0] ?? own;
}

/** Whether the caller is the club's contact for the member, who still belongs to that club. */
export function isContactFor(
	{ contactFor }: Pick<Principal, 'contactFor'>,
	member: { readonly id: string; readonly clubId: string | null },
): boolean {
	return contactFor.some(
		({ clubId, memberIds }) => clubId === member.clubId && memberIds.includes(member.id),
	);
}

const sharedError = errorFactory(sharedErrors);

type KnownMembers = ReadonlyMap<string, { readonly status: string }>;

/** The member whose status decides whether the account may write; undefined without one, and for the federation's office. */
function actingMemberId(principal: Principal): string | undefined {
	return isOfficer(principal) ? undefined : principal.memberId;
}

/** `members` by id. @throws ApiError MEMBER_NOT_ACTIVE if the acting member is suspended, not yet approved, deleted or unknown */
function requireActiveMember(principal: Principal, members: KnownMembers): void {
	const id = actingMemberId(principal);
	if (id !== undefined && members.get(id)?.status !== 'ACTIVE') throw sharedError('MEMBER_NOT_ACTIVE');
}

/**
 * The caller of a write, with the members for whom the caller may act now: a represented member who is not active is left
 * out, because a guardian has no more rights than the member. `members` by id; includes those of `membersToCheck`.
 * @throws ApiError MEMBER_NOT_ACTIVE as `requireActiveMember`
 */
export function activePrincipal(principal: Principal, members: KnownMembers): Principal {
	requireActiveMember(principal, members);
	if (isOfficer(principal) || membersToCheck(principal).length === 0) return principal;
	const active = (ids: readonly string[]) => ids.filter((id) => members.get(id)?.status === 'ACTIVE');
	return Object.freeze({
		...principal,
		guardianOf: active(principal.guardianOf),
		contactFor: principal.contactFor.map((of) => ({ ...of, memberIds: active(of.memberIds) })),
	});
}

/** The members whose status decides what the account may write: its own and those that it represents. */
export function membersToCheck(principal: Principal): readonly string[] {
	if (isOfficer(principal)) return [];
	const contacts = principal.contactFor.flatMap(({ memberIds }) => memberIds);
	return [...new Set([...membersActedFor(principal), ...contacts])];
}

/**
 * The call as its caller may make it, by a lookup of the present status of all members concerned. Call it before the
 * transaction; a write may still complete if the member is suspended during it.
 * @throws ApiError MEMBER_NOT_ACTIVE; errors of `lookUp`
 */
export async function requireActingMember<Call extends { readonly principal: Principal }>(
	call: Call,
	lookUp: (ids: readonly string[], call: Call) => Promise<KnownMembers>,
): Promise<Call> {
	const ids = membersToCheck(call.principal);
	if (ids.length === 0) return call;
	return { ...call, principal: activePrincipal(call.principal, await lookUp(ids, call)) };
}
