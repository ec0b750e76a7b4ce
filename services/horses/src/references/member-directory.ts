import { apiError } from '@paddock/contract';
import type { CallContext, Peer } from '@paddock/peers';
import { z } from 'zod';
import { callContextOf } from './call-context-of.ts';

const member = z.object({ id: z.uuid(), status: z.string(), homeClubId: z.uuid().nullable() });
const club = z.object({ id: z.uuid(), status: z.string() });

/** Member data that the registry needs. INACTIVE = deleted. */
export type KnownMember = z.output<typeof member>;

/** Lookup of members and clubs in the members context. */
export interface MemberDirectory {
	/**
	 * Members by id, including deleted ones; unknown ids are missing. An empty list makes no call.
	 * @throws ApiError as `Peer.get`
	 */
	members(ids: readonly string[], context: CallContext): Promise<ReadonlyMap<string, KnownMember>>;
	/** The subset of the ids that belong to existing, not closed clubs. @throws ApiError as `Peer.get` */
	knownClubs(ids: readonly string[], context: CallContext): Promise<ReadonlySet<string>>;
}

const retryAfterMs = 2_000;

/** Uncached: a membership may end at any moment. */
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
			...callContextOf(context),
		});
		// A 404 means that the members context runs another version, not that the ids are unknown.
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
