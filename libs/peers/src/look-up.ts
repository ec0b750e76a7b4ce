import { z } from 'zod';
import type { CallingRequest, Peer, PeerRequest } from './peer.ts';

/** Resolves ids to records, keyed by id; unknown ids are missing from the result. */
export type LookUp<Item> = (
	ids: readonly string[],
	context: CallingRequest,
) => Promise<ReadonlyMap<string, Item>>;

/** Maximum number of ids in one call. */
const idsMax = 50;

/**
 * Looks up records of another context through one of its `/internal/…/lookup` routes. Uncached, since a record may
 * change at any moment; no ids, no call. The lookup throws as `Peer.require`.
 */
export function createLookUp<Item extends z.ZodType<{ readonly id: string }>>(
	peer: Peer,
	path: PeerRequest<z.ZodType>['path'],
	item: Item,
): LookUp<z.output<Item>> {
	const schema = z.object({ items: z.array(item) });
	return async (ids, context) => {
		const all = [...new Set(ids)];
		const portions = Array.from({ length: Math.ceil(all.length / idsMax) }, (_, index) =>
			all.slice(index * idsMax, (index + 1) * idsMax),
		);
		const found = await Promise.all(
			portions.map((portion) =>
				peer.require({
					path,
					query: { ids: portion.join(',') },
					schema,
					credentials: 'service',
					context,
				}),
			),
		);
		return new Map(found.flatMap(({ items }) => items).map((record) => [record.id, record]));
	};
}

const existing = z.object({ id: z.uuid(), status: z.string() });

/** The subset of the ids whose records exist and are not INACTIVE (deleted or closed). Throws as `createLookUp`. */
export function createKnownIds(
	peer: Peer,
	path: PeerRequest<z.ZodType>['path'],
): (ids: readonly string[], context: CallingRequest) => Promise<ReadonlySet<string>> {
	const lookUp = createLookUp(peer, path, existing);
	return async (ids, context) => {
		const found = [...(await lookUp(ids, context)).values()];
		return new Set(found.filter(({ status }) => status !== 'INACTIVE').map(({ id }) => id));
	};
}
