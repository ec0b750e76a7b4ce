import { apiError } from '@paddock/contract';
import type { CallContext, Peer } from '@paddock/peers';
import { z } from 'zod';

/** Lookup of members and clubs in the members context. */
export interface MemberDirectory {
	/** Returns the ids of existing members; deleted ones are left out. @throws ApiError as `Peer.get` */
	knownMembers(ids: readonly string[], context: CallContext): Promise<ReadonlySet<string>>;
	/** Returns the ids of existing clubs; inactive ones are left out. @throws ApiError as `Peer.get` */
	knownClubs(ids: readonly string[], context: CallContext): Promise<ReadonlySet<string>>;
}

const lookup = z.object({ items: z.array(z.object({ id: z.uuid(), status: z.string() })) });
const idsMax = 50;
const retryAfterMs = 2_000;

export function createMemberDirectory(members: Peer): MemberDirectory {
	const portion = async (
		path: `/${string}`,
		ids: readonly string[],
		{ requestId, signal, traceparent }: CallContext,
	): Promise<readonly string[]> => {
		const found = await members.get({
			path,
			query: { ids: ids.join(',') },
			schema: lookup,
			credentials: 'service',
			requestId,
			signal,
			traceparent,
		});
		// A 404 means a members service of another version; it says nothing about the ids.
		if (found === undefined)
			throw apiError('SERVICE_UNAVAILABLE', { context: { context: 'members' }, retryAfterMs });
		return found.items.filter(({ status }) => status !== 'INACTIVE').map(({ id }) => id);
	};
	const known = async (path: `/${string}`, ids: readonly string[], context: CallContext) => {
		const all = [...new Set(ids)];
		const portions = Array.from({ length: Math.ceil(all.length / idsMax) }, (_, index) =>
			all.slice(index * idsMax, (index + 1) * idsMax),
		);
		return new Set((await Promise.all(portions.map((part) => portion(path, part, context)))).flat());
	};
	return {
		knownMembers: (ids, context) => known('/internal/members/lookup', ids, context),
		knownClubs: (ids, context) => known('/internal/clubs/lookup', ids, context),
	};
}

/** For a deployment without members: every id is accepted. */
export const anyMember: MemberDirectory = {
	knownMembers: async (ids) => new Set(ids),
	knownClubs: async (ids) => new Set(ids),
};
