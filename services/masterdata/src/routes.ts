import { personRoutes } from '@paddock/context';
import type { Route } from '@paddock/service';
import { ageClassRoutes } from './age-classes/routes.ts';
import { arena, arenaBody } from './arenas/schemas.ts';
import { arenas } from './arenas/store.ts';
import { countryRoutes } from './countries/routes.ts';
import type { MasterdataSchema } from './database-schema.ts';
import { crudRoutes, type MasterdataDeps } from './deps.ts';
import { personalData } from './personal-data.ts';
import { stateRoutes } from './states/routes.ts';
import { venue, venueBody } from './venues/schemas.ts';
import { venues } from './venues/store.ts';

/** All routes under /api/masterdata. Reading is public; writing and the changes are for the federation's office. */
export const masterdataRoutes: readonly Route<MasterdataDeps>[] = [
	...countryRoutes,
	...stateRoutes,
	...ageClassRoutes,
	...crudRoutes({
		path: '/api/masterdata/venues',
		plural: 'venues',
		table: venues,
		record: venue,
		body: venueBody,
		deleting:
			'Its arenas are deleted with it. A venue of an event, drafts included, is taken out of use by `isActive: false`.',
		referencedAs: ({ id }) => ({ type: 'VENUE', id, codes: [] }),
	}),
	...crudRoutes({
		path: '/api/masterdata/venues/{id}/arenas',
		parameter: 'arenaId',
		plural: 'arenas',
		table: arenas,
		record: arena,
		body: arenaBody,
		deleting: 'An arena of a competition is taken out of use by `isActive: false`.',
		referencedAs: ({ id }) => ({ type: 'ARENA', id, codes: [] }),
	}),
	...personRoutes<MasterdataSchema, MasterdataDeps>(personalData),
];
