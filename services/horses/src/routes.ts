import { referencesRoute } from '@paddock/context';
import type { Route } from '@paddock/service';
import { deathRoutes } from './death/routes.ts';
import type { HorsesDeps } from './deps.ts';
import { listingRoutes } from './horses/list-routes.ts';
import { readingRoutes } from './horses/read-routes.ts';
import { writingRoutes } from './horses/routes.ts';
import { statusRoutes } from './horses/status-routes.ts';
import { internalRoutes } from './lookup/routes.ts';
import { ownershipRoutes } from './ownership/routes.ts';
import { transferRoutes } from './ownership/transfer-routes.ts';
import { referenceCounts } from './reference-counts.ts';

/** Everything under /api/horses, and the internal routes for other services. */
export const horsesRoutes: readonly Route<HorsesDeps>[] = [
	...listingRoutes,
	...readingRoutes,
	...writingRoutes,
	...ownershipRoutes,
	...transferRoutes,
	...statusRoutes,
	...deathRoutes,
	...internalRoutes,
	referencesRoute<HorsesDeps>(referenceCounts),
];
