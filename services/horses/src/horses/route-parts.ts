import { idParameters } from '@paddock/service';
import { horse } from './schemas.ts';

export const path = '/api/horses';

/**
 * A horse is revalidated by ETag each time: the record and the view of the caller change, even without a new version,
 * because the record contains the names of the parents.
 */
export const recordCacheControl = 'private, no-cache';

/** Roles that may register and change horses; each handler checks for which horses. */
export const entrustedRoles = { roles: ['MEMBER', 'CLUB_OFFICIAL', 'FEDERATION_OFFICER', 'ADMIN'] } as const;

/** What all routes share that change a stored horse and return it. */
export const horseChange = {
	method: 'post',
	params: idParameters,
	output: horse,
	etag: 'shownVersion',
	precondition: true,
} as const;
