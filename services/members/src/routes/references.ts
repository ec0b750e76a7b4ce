import { referencesRoute } from '@paddock/service';
import type { MembersDeps } from '../deps.ts';
import { countCountryReferences, countStateReferences } from '../repository/references.ts';

/** For the owners of records that members and clubs refer to. */
export const referenceRoutes = [
	referencesRoute<MembersDeps>({
		COUNTRY: countCountryReferences,
		STATE: countStateReferences,
		VENUE: 'none',
		ARENA: 'none',
		AGE_CLASS: 'none',
		// Members refer to clubs within this database, which checks that itself.
		CLUB: 'none',
	}),
];
