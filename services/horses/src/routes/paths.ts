export const tag = 'horses';
export const path = '/api/horses';

/**
 * A horse is revalidated by its ETag each time: the record and what the caller may see of it change, also without a new
 * version, as it shows the names of its parents.
 */
export const recordCacheControl = 'private, no-cache';

/** Who may register and change horses; which ones is a rule of each. */
export const entrustedRoles = {
	roles: ['MEMBER', 'CLUB_OFFICIAL', 'FEDERATION_OFFICER', 'ADMIN'],
} as const;
