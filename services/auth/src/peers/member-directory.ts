import { type CallContext, createKnownIds, type Peer } from '@paddock/peers';

/** Lookup of members and clubs in the members context. */
export interface MemberDirectory {
	/** Returns the ids of existing members; deleted ones are left out. @throws ApiError as `Peer.get` */
	knownMembers(ids: readonly string[], context: CallContext): Promise<ReadonlySet<string>>;
	/** Returns the ids of existing clubs; inactive ones are left out. @throws ApiError as `Peer.get` */
	knownClubs(ids: readonly string[], context: CallContext): Promise<ReadonlySet<string>>;
}

export function createMemberDirectory(members: Peer): MemberDirectory {
	return {
		knownMembers: createKnownIds(members, '/internal/members/lookup'),
		knownClubs: createKnownIds(members, '/internal/clubs/lookup'),
	};
}

/** For a deployment without members: every id is accepted. */
export const anyMember: MemberDirectory = {
	knownMembers: async (ids) => new Set(ids),
	knownClubs: async (ids) => new Set(ids),
};
