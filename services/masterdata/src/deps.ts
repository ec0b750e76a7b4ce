import type { Database } from '@paddock/database';
import { routesWith } from '@paddock/service';
import type { MasterdataSchema } from './database-schema.ts';

/** What every handler of this context is given. */
export interface MasterdataDeps {
	readonly db: Database<MasterdataSchema>;
}

/** Declares one route of this context. */
export const route = routesWith<MasterdataDeps>();
