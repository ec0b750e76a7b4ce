export const tag = 'horses';
export const path = '/api/horses';

/**
 * A horse is asked for by its ETag each time: what the caller may see of it, and what it is, both change. Without a new
 * version too: it shows the names of its parents.
 */
export const recordCacheControl = 'private, no-cache';

/** Who may register and change horses; which ones is a rule of each. */
export const entrustedRoles = {
	roles: ['MEMBER', 'CLUB_OFFICIAL', 'FEDERATION_OFFICER', 'ADMIN'],
} as const;
