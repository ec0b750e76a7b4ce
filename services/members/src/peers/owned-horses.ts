import { apiError } from '@paddock/contract';
import type { CallContext, Peer } from '@paddock/peers';
import { z } from 'zod';

/** Lookup of the horses that a member owns at present. */
export interface OwnedHorses {
	/** @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT when the count is unknown. */
	count(memberId: string, call: CallContext): Promise<number>;
}

/** For a deployment without horses. */
export const noOwnedHorses: OwnedHorses = { count: async () => 0 };

const response = z.object({ count: z.int().min(0) });
const retryAfterMs = 2_000;

export function createOwnedHorses(horses: Peer): OwnedHorses {
	return {
		count: async (memberId, call) => {
			const found = await horses.get({
				...call,
				path: '/internal/horses/owned',
				query: { memberId },
				schema: response,
				credentials: 'service',
			});
			// A 404 means a service of another version, not a count of 0.
			if (found === undefined)
				throw apiError('SERVICE_UNAVAILABLE', { context: { context: 'horses' }, retryAfterMs });
			return found.count;
		},
	};
}
