import { apiError } from '@paddock/contract';
import type { CallContext, Peer } from '@paddock/peers';
import { z } from 'zod';
import { callContextOf } from './call-context-of.ts';

/** Queries the events context for entries of a horse at future events. */
export interface OpenEntries {
	/** Called with the caller's own token. @throws ApiError as `Peer.get` */
	hasAny(horseId: string, authorization: string, context: CallContext): Promise<boolean>;
}

const page = z.object({ pagination: z.object({ totalElements: z.int().min(0) }) });
const retryAfterMs = 2_000;

export function createOpenEntries(events: Peer): OpenEntries {
	return {
		hasAny: async (horseId, authorization, context) => {
			const found = await events.get({
				path: '/api/events/entries',
				query: { horseId, open: 'true', size: '1' },
				schema: page,
				credentials: { authorization },
				...callContextOf(context),
			});
			// A 404 means that the events context has no such list, not that the horse has no entries.
			if (found === undefined) throw apiError('SERVICE_UNAVAILABLE', { retryAfterMs });
			return found.pagination.totalElements > 0;
		},
	};
}
