import { fail } from '@paddock/contract';
import type { Peer } from '@paddock/peers';
import { z } from 'zod';
import type { Question } from '../deps.ts';

/** Who the members context knows: people and clubs. */
export interface MemberDirectory {
	/** Those of the ids that are a member's, removed ones left out. @throws ApiError as `Peer.get` */
	knownMembers(ids: readonly string[], question: Question): Promise<ReadonlySet<string>>;
	/** Those of the ids that are a club's, closed ones left out. @throws ApiError as `Peer.get` */
	knownClubs(ids: readonly string[], question: Question): Promise<ReadonlySet<string>>;
}

const lookup = z.object({ items: z.array(z.object({ id: z.uuid(), status: z.string() })) });
const retryAfterMs = 2_000;

/** Asks each time: whether somebody is still a member is what the question is about. */
export function createMemberDirectory(members: Peer): MemberDirectory {
	const known = async (path: `/${string}`, ids: readonly string[], question: Question) => {
		if (ids.length === 0) return new Set<string>();
		const found = await members.get({
			path,
			query: { ids: [...new Set(ids)].join(',') },
			schema: lookup,
			credentials: 'service',
			...question,
		});
		// A lookup that isn't there is a members context of another version: it can't be asked, which isn't a no.
		if (found === undefined) throw fail('SERVICE_UNAVAILABLE', { retryAfterMs });
		return new Set(found.items.filter(({ status }) => status !== 'INACTIVE').map(({ id }) => id));
	};
	return {
		knownMembers: (ids, question) => known('/internal/members/lookup', ids, question),
		knownClubs: (ids, question) => known('/internal/clubs/lookup', ids, question),
	};
}
