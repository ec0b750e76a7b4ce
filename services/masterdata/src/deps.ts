import { crudRoutesWith } from '@paddock/crud';
import type { Database } from '@paddock/database';
import type { ReferenceCounter } from '@paddock/peers';
import { officersOnly, routesWith } from '@paddock/service';
import type { MasterdataSchema } from './database-schema.ts';

export interface MasterdataDeps {
	readonly db: Database<MasterdataSchema>;
	/** Counts references of other contexts to records of this one. */
	readonly referenceCounter: ReferenceCounter;
}

export const cacheControl = {
	/** Lists change rarely and are shown everywhere, also while the database is down. */
	list: { maxAge: 60, staleWhileRevalidate: 30, staleIfError: 86_400 },
	/** Briefly: an editor who started from an older version would get 412. */
	record: { maxAge: 5, staleIfError: 86_400 },
	ofToday: 'no-cache',
};

export const route = routesWith<MasterdataDeps>('masterdata');

export const crudRoutes = crudRoutesWith<MasterdataDeps, MasterdataSchema>({
	tag: 'masterdata',
	access: { read: 'public', write: officersOnly },
	cacheControl,
	db: ({ db }) => db,
	referenceCounter: (deps) => deps.referenceCounter,
});
