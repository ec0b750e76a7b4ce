import { LRUCache } from 'lru-cache';
import type { KeyedRequest } from './keyed-request.ts';
import { matchesRequest, type StoredResponse } from './stored-response.ts';

export type ResponseStore = ReturnType<typeof createResponseStore>;

/** Headers, policy and the cache's own bookkeeping, as measured. */
const overheadBytes = 4_096;
// By Accept and Accept-Encoding, which clients write in many ways.
const variantsMax = 8;
const bodyShareMax = 1 / 8;
const bodyBytesMax = 1_048_576;

/** Stored responses by path and query, in bounded memory; the least recently used are removed first. */
export function createResponseStore(bytesMax: number) {
	const stored = new LRUCache<string, readonly StoredResponse[]>({
		maxSize: bytesMax,
		sizeCalculation: (variants, url) =>
			variants.reduce(
				(sum, { body, varying }) => sum + body.length + String(varying).length + overheadBytes,
				2 * url.length,
			),
	});
	const generations = new Map<string, number>();
	const generation = (collection: string): number => generations.get(collection) ?? 0;
	return {
		/** Largest body that can be stored. */
		bodyBytesMax: Math.min(bodyBytesMax, Math.floor(bytesMax * bodyShareMax)),
		find: (request: KeyedRequest): StoredResponse | undefined => {
			const found = stored.get(request.url)?.find((each) => matchesRequest(each, request));
			if (found?.generation !== generation(request.collection)) return undefined;
			// Stored before the clock was set back: it would be fresh for as long as that.
			return found.policy.age() < 0 ? undefined : found;
		},
		put: (request: KeyedRequest, added: StoredResponse): void => {
			const others = stored.get(request.url)?.filter((each) => !matchesRequest(each, request)) ?? [];
			stored.set(request.url, [added, ...others].slice(0, variantsMax));
		},
		/** The number of changes of a collection so far. A response is of no use once the number has grown. */
		generation,
		/** Invalidates all responses of a collection, including those that are being fetched. */
		invalidate: (collection: string): void => {
			generations.set(collection, generation(collection) + 1);
		},
		/** Memory in use, estimated. */
		bytes: (): number => stored.calculatedSize,
		entries: (): number => stored.size,
	};
}
