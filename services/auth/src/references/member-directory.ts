import { type CallContext, createLookUp, type Peer } from '@paddock/peers';
import { z } from 'zod';

/** Lookup of members and clubs in the members context. */
export interface MemberDirectory {
	/** Returns the ids of existing members; deleted ones are left out. @throws ApiError as `Peer.get` */
	knownMembers(ids: readonly string[], context: CallContext): Promise<ReadonlySet<string>>;
	/** Returns the ids of existing clubs; inactive ones are left out. @throws ApiError as `Peer.get` */
	knownClubs(ids: readonly string[], context: CallContext): Promise<ReadonlySet<string>>;
}

const record = z.object({ id: z.uuid(), status: z.string() });

export function createMemberDirectory(members: Peer): MemberDirectory {
	const existing = (path: `/${string}`): MemberDirectory['knownMembers'] => {
		const lookUp = createLookUp(members, path, record);
		return async (ids, context) => {
			const found = await lookUp(ids, context);
			return new Set(ids.filter((id) => (found.get(id)?.status ?? 'INACTIVE') !== 'INACTIVE'));
		};
	};
	return {
		knownMembers: existing('/internal/members/lookup'),
		knownClubs: existing('/internal/clubs/lookup'),
	};
}

/** For a deployment without members: every id is accepted. */
export const anyMember: MemberDirectory = {
	knownMembers: async (ids) => new Set(ids),
	knownClubs: async (ids) => new Set(ids),
};
