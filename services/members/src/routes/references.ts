import { referencesRoute } from '@paddock/service';
import type { MembersDeps } from '../deps.ts';
import { countCountryReferences, countStateReferences } from '../repository/references.ts';

/** For the contexts that own records to which members and clubs refer. */
export const referenceRoutes = [
	referencesRoute<MembersDeps>({
		COUNTRY: countCountryReferences,
		STATE: countStateReferences,
		VENUE: 'none',
		ARENA: 'none',
		AGE_CLASS: 'none',
		// Foreign keys of this database check the references of members to clubs.
		CLUB: 'none',
	}),
];
