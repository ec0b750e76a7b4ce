import { apiError } from '@paddock/contract';
import { z } from 'zod';
import type { CallingRequest, Peer } from './peer.ts';

/** Queries the events context for entries of a member or a horse at future events. */
export type OpenEntries = ReturnType<typeof createOpenEntries>;

const page = z.object({ pagination: z.object({ totalElements: z.int().min(0) }) });

export function createOpenEntries(events: Peer) {
	return {
		/** Forwards the caller's `Authorization`. @throws ApiError as `Peer.require`; UNAUTHENTICATED without that header */
		hasAny: async (
			of: { readonly memberId: string } | { readonly horseId: string },
			call: CallingRequest & { readonly headers: Readonly<Record<string, string | string[] | undefined>> },
		): Promise<boolean> => {
			const { authorization } = call.headers;
			if (typeof authorization !== 'string') throw apiError('UNAUTHENTICATED');
			const { pagination } = await events.require({
				context: call,
				path: '/api/events/entries',
				query: { ...of, open: 'true', size: '1' },
				schema: page,
				credentials: { authorization },
			});
			return pagination.totalElements > 0;
		},
	};
}
