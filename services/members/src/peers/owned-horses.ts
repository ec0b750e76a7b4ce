import type { CallingRequest, Peer } from '@paddock/peers';
import { z } from 'zod';

/** At present. @throws ApiError, errors of peer calls. */
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
