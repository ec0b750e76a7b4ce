/** What a user may be. `MEMBER` is everybody's; the others are given by an administrator. */
export const roles = ['MEMBER', 'CLUB_OFFICIAL', 'ORGANISER', 'FEDERATION_OFFICER', 'ADMIN'] as const;

export type Role = (typeof roles)[number];

/**
 * Which clubs (UUIDs) a role covers. CLUB_OFFICIAL and ORGANISER act for clubs only: without an entry they cover none, so
 * that one that was forgotten or removed takes rights away and never gives any. The other roles have no use for entries.
 */
export type RoleScopes = Partial<Record<Role, { clubIds: readonly string[] }>>;

const known: ReadonlySet<unknown> = new Set(roles);

export function isRole(value: unknown): value is Role {
	return known.has(value);
}
