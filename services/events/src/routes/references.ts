import { referencesRoute } from '@paddock/service';
import type { EventsDeps } from '../deps.ts';
import {
	countAgeClassReferences,
	countArenaReferences,
	countClubReferences,
	countCountryReferences,
	countStateReferences,
	countVenueReferences,
} from '../repository/references.ts';

/** Reference counts for the services whose records events refer to. */
export const referenceRoutes = [
	referencesRoute<EventsDeps>({
		COUNTRY: countCountryReferences,
		STATE: countStateReferences,
		VENUE: countVenueReferences,
		ARENA: countArenaReferences,
		AGE_CLASS: countAgeClassReferences,
		CLUB: countClubReferences,
	}),
];
