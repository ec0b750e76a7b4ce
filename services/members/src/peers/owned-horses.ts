import type { CallContext, Peer } from '@paddock/peers';
import { z } from 'zod';

/** Lookup of the horses that a member owns at present. */
export interface OwnedHorses {
	/** @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT when the count is unknown. */
	count(memberId: string, context: CallContext): Promise<number>;
}

const response = z.object({ count: z.int().min(0) });

export function createOwnedHorses(horses: Peer): OwnedHorses {
	return {
		count: async (memberId, context) => {
			const { count } = await horses.require({
				context,
				path: '/internal/horses/owned',
				query: { memberId },
				schema: response,
				credentials: 'service',
			});
			return count;
		},
	};
}
