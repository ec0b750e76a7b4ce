import { type ReferencedRecord, referencesPath } from '@paddock/contract';
import { z } from 'zod';
import type { CallingRequest } from './peer.ts';
import type { Peers } from './peers.ts';

export type ReferenceCounter = ReturnType<typeof createReferenceCounter>;

const response = z.object({ count: z.int().min(0) });

/** Calls `referencesRoute` of all these contexts in parallel; none = no context refers to our records. */
export function createReferenceCounter(peers: Pick<Peers, 'peer'>, contexts: readonly string[]) {
	const countAt = async (
		name: string,
		{ type, id, codes }: ReferencedRecord,
		context: CallingRequest,
	): Promise<number> => {
		const { count } = await peers.peer(`${name}-service`).require({
			context,
			path: referencesPath,
			query: { type, id, codes: codes.length === 0 ? undefined : codes.join(',') },
			schema: response,
			credentials: 'service',
		});
		return count;
	};
	return {
		/** @throws ApiError as `Peer.get`; an unresponsive context must not count as one without references. */
		count: async (record: ReferencedRecord, context: CallingRequest): Promise<number> => {
			const counts = await Promise.all(contexts.map((name) => countAt(name, record, context)));
			return counts.reduce((sum, count) => sum + count, 0);
		},
	};
}
