import type { Database } from '@paddock/database';
import type { ReferenceCounter } from '@paddock/peers';
import { routesWith } from '@paddock/service';
import type { MasterdataSchema } from './database-schema.ts';

/** What every handler of this context is given. */
export interface MasterdataDeps {
	readonly db: Database<MasterdataSchema>;
	/** Of other contexts to records that are kept here. */
	readonly references: ReferenceCounter;
}

/** Declares one route of this context. */
export const route = routesWith<MasterdataDeps>();
