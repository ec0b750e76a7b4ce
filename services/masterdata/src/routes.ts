import type { Route } from '@paddock/service';
import type { MasterdataDeps } from './deps.ts';
import { ageClassRoutes } from './routes/age-classes.ts';
import { arenaRoutes } from './routes/arenas.ts';
import { countryRoutes } from './routes/countries.ts';
import { stateRoutes } from './routes/states.ts';
import { venueRoutes } from './routes/venues.ts';

/** All routes under /api/masterdata. Reading is public, writing is for the federation's office. */
export const masterdataRoutes: readonly Route<MasterdataDeps>[] = [
	...countryRoutes,
	...stateRoutes,
	...ageClassRoutes,
	...venueRoutes,
	...arenaRoutes,
];
