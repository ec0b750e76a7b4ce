import type { Database } from '@paddock/database';
import type { OpenEntries, ReferenceCounter } from '@paddock/peers';
import { routesWith, updatesWith } from '@paddock/service';
import type { MembersSchema } from './database-schema.ts';
import type { CountOwnedHorses } from './peers/owned-horses.ts';
import type { PlaceCodes } from './peers/place-codes.ts';

/** Dependencies of the handlers. */
export interface MembersDeps {
	readonly db: Database<MembersSchema>;
	readonly placeCodes: PlaceCodes;
	/** Undefined in a deployment without events. */
	readonly openEntries: OpenEntries | undefined;
	/** Undefined in a deployment without horses. */
	readonly countOwnedHorses: CountOwnedHorses | undefined;
	/** Counts references of other contexts to clubs. */
	readonly references: ReferenceCounter;
	/** First half of the membership numbers of members without a club. */
	readonly federationClubNumber: string;
}

/** Declares one route of this context. */
export const route = routesWith<MembersDeps>('members');

/** Declares the two routes of this context that change a record. */
export const update = updatesWith<MembersDeps>('members');
