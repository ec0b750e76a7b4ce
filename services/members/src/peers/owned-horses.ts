import type { CallingRequest, Peer } from '@paddock/peers';
import { z } from 'zod';

/**
 * Counts the horses that a member owns at present.
 * @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT when the count is unknown.
 */
export type CountOwnedHorses = (memberId: string, context: CallingRequest) => Promise<number>;

const schema = z.object({ count: z.int().min(0) });

export function createCountOwnedHorses(horses: Peer): CountOwnedHorses {
	return async (memberId, context) => {
		const path = '/internal/horses/owned';
		const query = { memberId };
		const found = await horses.require({ context, path, query, schema, credentials: 'service' });
		return found.count;
	};
}
