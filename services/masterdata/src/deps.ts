import { crudRoutesWith } from '@paddock/crud';
import type { Database } from '@paddock/database';
import type { ReferenceCounter } from '@paddock/peers';
import { officersOnly, routesWith } from '@paddock/service';
import type { MasterdataSchema } from './database-schema.ts';

/** Dependencies of the handlers. */
export interface MasterdataDeps {
	readonly db: Database<MasterdataSchema>;
	/** Counts references of other contexts to records of this one. */
	readonly references: ReferenceCounter;
}

export const cacheControl = {
	/** Lists change rarely and are public: five minutes in any cache, then revalidation by ETag. */
	list: 'public, max-age=300',
	/**
	 * A record may be stored, but is revalidated each time: an editor must start from the current version, or
	 * `If-Match` would fail until the cached copy expires.
	 */
	record: 'no-cache',
};

/** Declares one route of this context. */
export const route = routesWith<MasterdataDeps>();

/** Declares the routes of one kind of record. */
export const crudRoutes = crudRoutesWith<MasterdataDeps, MasterdataSchema>({
	tag: 'masterdata',
	access: { read: 'public', write: officersOnly },
	cacheControl,
	db: ({ db }) => db,
	references: ({ references }) => references,
});
