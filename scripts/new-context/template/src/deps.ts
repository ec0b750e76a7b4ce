import { crudRoutesWith } from '@paddock/crud';
import type { Database } from '@paddock/database';
import { officersOnly } from '@paddock/service';
import { context } from '../context.ts';
import type { SpecimensSchema } from './database-schema.ts';

/** The dependencies of every handler of this context. */
export interface SpecimensDeps {
	readonly db: Database<SpecimensSchema>;
}

/** Declares the routes of one kind of record: all users may read, the federation's office may write. */
export const crudRoutes = crudRoutesWith<SpecimensDeps, SpecimensSchema>({
	tag: context.name,
	access: { read: 'signedIn', write: officersOnly },
	cacheControl: { list: 'private, no-cache', record: 'private, no-cache' },
	db: ({ db }) => db,
});
