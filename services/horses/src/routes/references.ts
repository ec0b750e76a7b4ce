import { referencesRoute } from '@paddock/service';
import type { HorsesDeps } from '../deps.ts';
import { countClubReferences, countCountryReferences } from '../repository/references.ts';

/** Reference counts for the services whose records horses refer to. */
export const referenceRoutes = [
	referencesRoute<HorsesDeps>({
		COUNTRY: countCountryReferences,
		STATE: 'none',
		VENUE: 'none',
		ARENA: 'none',
		AGE_CLASS: 'none',
		CLUB: countClubReferences,
	}),
];
