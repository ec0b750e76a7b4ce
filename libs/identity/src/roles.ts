/** What a user may be. `MEMBER` is everybody's; the others are given by an administrator. */
export const roles = ['MEMBER', 'CLUB_OFFICIAL', 'ORGANISER', 'FEDERATION_OFFICER', 'ADMIN'] as const;

export type Role = (typeof roles)[number];

/** What a role covers. A role without an entry isn't limited to clubs. */
export type RoleScopes = Partial<Record<Role, { clubIds: readonly string[] }>>;

const known: ReadonlySet<unknown> = new Set(roles);

export function isRole(value: unknown): value is Role {
	return known.has(value);
}
