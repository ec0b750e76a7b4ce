import type { CallContext, Peer } from '@paddock/peers';
import { z } from 'zod';

/** Lookup of members' entries for future events. */
export interface OpenEntries {
	/**
	 * `authorization` is the caller's header: the events context decides what the caller may see.
	 * @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if the result is unknown.
	 */
	has(memberId: string, context: CallContext & { readonly authorization: string }): Promise<boolean>;
}

/** For a deployment without events. */
export const noOpenEntries: OpenEntries = { has: async () => false };

const entryPage = z.object({ pagination: z.object({ totalElements: z.int().min(0) }) });

export function createOpenEntries(events: Peer): OpenEntries {
	return {
		has: async (memberId, { authorization, ...context }) => {
			const { pagination } = await events.require({
				...context,
				path: '/api/events/entries',
				query: { memberId, open: 'true', size: '1' },
				schema: entryPage,
				credentials: { authorization },
			});
			return pagination.totalElements > 0;
		},
	};
}
