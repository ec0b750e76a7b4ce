import { type CallingRequest, createKnownIds, createLookUp, type LookUp, type Peer } from '@paddock/peers';
import { z } from 'zod';

const member = z.object({ id: z.uuid(), status: z.string(), homeClubId: z.uuid().nullable() });

/** Member data that the registry needs. INACTIVE = deleted. */
export type KnownMember = z.output<typeof member>;

export interface MemberDirectory {
	/** Members by id, including deleted ones. */
	readonly members: LookUp<KnownMember>;
	/** The subset of the ids that belong to existing, not closed clubs. @throws ApiError as `LookUp` */
	knownClubs(ids: readonly string[], context: CallingRequest): Promise<ReadonlySet<string>>;
}

/** Uncached: a membership may end at any moment. */
export function createMemberDirectory(peer: Peer): MemberDirectory {
	return {
		members: createLookUp(peer, '/internal/members/lookup', member),
		knownClubs: createKnownIds(peer, '/internal/clubs/lookup'),
	};
}
