import { apiError } from '@paddock/contract';
import type { Peer } from '@paddock/peers';
import { z } from 'zod';
import type { CallContext } from '../deps.ts';

const member = z.object({ id: z.uuid(), status: z.string(), homeClubId: z.uuid().nullable() });
const club = z.object({ id: z.uuid(), status: z.string() });

/** What the registry needs to know of a member. INACTIVE = deleted. */
export type KnownMember = z.output<typeof member>;

/** The people and clubs of the members context. */
export interface MemberDirectory {
	/** By id, deleted ones too; unknown ids are missing. No call for an empty list. @throws ApiError as `Peer.get` */
	members(ids: readonly string[], context: CallContext): Promise<ReadonlyMap<string, KnownMember>>;
	/** Those of the ids that are a club's, closed ones left out. @throws ApiError as `Peer.get` */
	knownClubs(ids: readonly string[], context: CallContext): Promise<ReadonlySet<string>>;
}

const retryAfterMs = 2_000;

/** Calls the members context each time: a membership may end at any moment. */
export function createMemberDirectory(members: Peer): MemberDirectory {
	const lookUp = async <Item extends z.ZodType>(
		path: `/${string}`,
		item: Item,
		ids: readonly string[],
		context: CallContext,
	): Promise<readonly z.output<Item>[]> => {
		if (ids.length === 0) return [];
		const found = await members.get({
			path,
			query: { ids: [...new Set(ids)].join(',') },
			schema: z.object({ items: z.array(item) }),
			credentials: 'service',
			...context,
		});
		// A missing route means a members context of another version, not that the ids are unknown.
		if (found === undefined) throw apiError('SERVICE_UNAVAILABLE', { retryAfterMs });
		return found.items;
	};
	return {
		members: async (ids, context) => {
			const items = await lookUp('/internal/members/lookup', member, ids, context);
			return new Map(items.map((item) => [item.id, item]));
		},
		knownClubs: async (ids, context) => {
			const items = await lookUp('/internal/clubs/lookup', club, ids, context);
			return new Set(items.filter(({ status }) => status !== 'INACTIVE').map(({ id }) => id));
		},
	};
}
