import { referencesRoute } from '@paddock/service';
import type { AuthDeps } from '../deps.ts';
import { countClubReferences } from '../users/club-references.ts';

/** For the contexts that own records to which accounts refer. */
export const referenceRoutes = [
	referencesRoute<AuthDeps>({
		COUNTRY: 'none',
		STATE: 'none',
		VENUE: 'none',
		ARENA: 'none',
		AGE_CLASS: 'none',
		CLUB: countClubReferences,
	}),
];
