import { referencesRoute } from '@paddock/context';
import type { Route } from '@paddock/service';
import type { HorsesDeps } from './deps.ts';
import { referenceCounts } from './repository/references.ts';
import { deathRoutes } from './routes/deaths.ts';
import { internalRoutes } from './routes/internal.ts';
import { listingRoutes } from './routes/listing.ts';
import { ownershipRoutes } from './routes/ownership.ts';
import { readingRoutes } from './routes/reading.ts';
import { statusRoutes } from './routes/status.ts';
import { transferRoutes } from './routes/transfers.ts';
import { writingRoutes } from './routes/writing.ts';

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
