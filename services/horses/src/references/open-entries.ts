import type { CallContext, Peer } from '@paddock/peers';
import { z } from 'zod';

/** Queries the events context for entries of a horse at future events. */
export interface OpenEntries {
	/** Called with the caller's own token. @throws ApiError as `Peer.require` */
	hasAny(horseId: string, authorization: string, context: CallContext): Promise<boolean>;
}

const page = z.object({ pagination: z.object({ totalElements: z.int().min(0) }) });

export function createOpenEntries(events: Peer): OpenEntries {
	return {
		hasAny: async (horseId, authorization, { requestId, signal, traceparent }) => {
			const { pagination } = await events.require({
				path: '/api/events/entries',
				query: { horseId, open: 'true', size: '1' },
				schema: page,
				credentials: { authorization },
				requestId,
				signal,
				traceparent,
			});
			return pagination.totalElements > 0;
		},
	};
}
