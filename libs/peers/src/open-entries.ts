import { z } from 'zod';
import type { CallContext, Peer } from './peer.ts';

/** Queries the events context for entries of a member or a horse at future events. */
export interface OpenEntries {
	/**
	 * `authorization` is the caller's header: the events context decides what the caller may see.
	 * @throws ApiError as `Peer.require`
	 */
	hasAny(
		of: { readonly memberId: string } | { readonly horseId: string },
		authorization: string,
		context: CallContext,
	): Promise<boolean>;
}

const page = z.object({ pagination: z.object({ totalElements: z.int().min(0) }) });

export function createOpenEntries(events: Peer): OpenEntries {
	return {
		hasAny: async (of, authorization, context) => {
			const { pagination } = await events.require({
				context,
				path: '/api/events/entries',
				query: { ...of, open: 'true', size: '1' },
				schema: page,
				credentials: { authorization },
			});
			return pagination.totalElements > 0;
		},
	};
}
