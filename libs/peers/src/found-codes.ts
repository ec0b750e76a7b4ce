import { LRUCache } from 'lru-cache';

/** Codes that exist in another context. */
interface FoundCodes {
	has(code: string): boolean;
	add(code: string): void;
}

const lifetimeMs = 5 * 60_000;
/** More than the countries and states there are; callers can't fill the cache with unknown codes. */
const codesMax = 1_000;

/** Caches each code that was found for five minutes. Unknown codes are not cached: they may be added at any time. */
export function createFoundCodes(now: () => Date): FoundCodes {
	const codes = new LRUCache<string, true>({
		max: codesMax,
		// An entry is stale when it is older than this.
		ttl: lifetimeMs - 1,
		ttlResolution: 0,
		perf: { now: () => now().getTime() },
	});
	return { has: (code) => codes.has(code), add: (code) => void codes.set(code, true) };
}
