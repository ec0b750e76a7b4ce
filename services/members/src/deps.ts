import type { Database } from '@paddock/database';
import type { ReferenceCounter } from '@paddock/peers';
import { routesWith } from '@paddock/service';
import type { MembersSchema } from './database-schema.ts';
import type { OpenEntries } from './peers/open-entries.ts';
import type { OwnedHorses } from './peers/owned-horses.ts';
import type { PlaceCodes } from './peers/place-codes.ts';

/** What every handler of this context is given. */
export interface MembersDeps {
	readonly db: Database<MembersSchema>;
	readonly placeCodes: PlaceCodes;
	readonly openEntries: OpenEntries;
	readonly ownedHorses: OwnedHorses;
	/** Of other contexts to clubs. */
	readonly references: ReferenceCounter;
	/** The first half of the membership numbers of those who have no club. */
	readonly federationClubNumber: string;
}

/** Declares one route of this context. */
export const route = routesWith<MembersDeps>();
