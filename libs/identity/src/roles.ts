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
