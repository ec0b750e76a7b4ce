import { personRoutes } from '@paddock/context';
import type { Route } from '@paddock/service';
import { ageClassRoutes } from './age-classes/routes.ts';
import { arenaRoutes } from './arenas/routes.ts';
import { countryRoutes } from './countries/routes.ts';
import type { MasterdataSchema } from './database-schema.ts';
import type { MasterdataDeps } from './deps.ts';
import { personalData } from './personal-data.ts';
import { stateRoutes } from './states/routes.ts';
import { venueRoutes } from './venues/routes.ts';

/** All routes under /api/masterdata. Reading is public; writing and the changes are for the federation's office. */
export const masterdataRoutes: readonly Route<MasterdataDeps>[] = [
	...countryRoutes,
	...stateRoutes,
	...ageClassRoutes,
	...venueRoutes,
	...arenaRoutes,
	...personRoutes<MasterdataSchema, MasterdataDeps>(personalData),
];
