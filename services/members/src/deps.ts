import type { Database } from '@paddock/database';
import type { Jobs } from '@paddock/jobs';
import type { OpenEntries, ReferenceCounter } from '@paddock/peers';
import { type Call, routesWith, updatesWith, type Writers } from '@paddock/service';
import type { MembersSchema } from './database-schema.ts';
import { requireActiveCaller } from './members/caller.ts';
import type { CountOwnedHorses } from './peers/owned-horses.ts';
import type { PlaceCodes } from './peers/place-codes.ts';

export interface MembersDeps {
	readonly db: Database<MembersSchema>;
	/** Undefined in a deployment without auth, which sends the mails. */
	readonly jobs: Pick<Jobs<MembersSchema>, 'enqueueAll'> | undefined;
	readonly placeCodes: PlaceCodes;
	/** Undefined in a deployment without events. */
	readonly openEntries: OpenEntries | undefined;
	/** Undefined in a deployment without horses. */
	readonly countOwnedHorses: CountOwnedHorses | undefined;
	/** Counts references of other contexts to clubs. */
	readonly referenceCounter: ReferenceCounter;
	/** First half of the membership numbers of members without a club. */
	readonly federationClubNumber: string;
}

export const route = routesWith<MembersDeps>('members', requireActive);

export const update = updatesWith<MembersDeps>('members', requireActive);

async function requireActive(
	call: Call & { readonly params: unknown },
	{ db }: MembersDeps,
	writers: Writers,
): Promise<undefined> {
	const { id } = Object(call.params) as { readonly id?: string };
	await requireActiveCaller(db, call, writers === 'activeMembersOrSelf' ? id : undefined);
}
