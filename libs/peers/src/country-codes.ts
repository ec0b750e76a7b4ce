import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import type { CallingRequest, Peer } from './peer.ts';

export type CountryCodes = ReturnType<typeof createCountryCodes>;

const country = z.object({ isoAlpha2: z.string(), isoNumeric: z.string() });

/** Codes that were found are cached, see `createFoundCodes`. */
export function createCountryCodes(masterdata: Peer, now: () => Date) {
	const known = createFoundCodes(now);
	return {
		/** An ISO 3166-1 alpha-2 or numeric code. @throws ApiError as `Peer.get` */
		isKnown: async (code: string, context: CallingRequest): Promise<boolean> => {
			if (known.has(code)) return true;
			const found = await masterdata.get({
				path: `/api/masterdata/countries/by-code/${encodeURIComponent(code)}`,
				schema: country,
				credentials: 'none',
				context,
			});
			// by-code also accepts other kinds of codes, which are not valid here.
			if (found === undefined || (found.isoAlpha2 !== code && found.isoNumeric !== code)) return false;
			known.add(code);
			return true;
		},
	};
}

const lifetimeMs = 5 * 60_000;
/** More than the countries and states there are; callers can't fill the cache with unknown codes. */
const codesMax = 1_000;

/** Caches each code that was found for five minutes. Unknown codes are not cached: they may be added at any time. */
export function createFoundCodes(now: () => Date) {
	const codes = new LRUCache<string, true>({
		max: codesMax,
		// An entry is stale when it is older than this.
		ttl: lifetimeMs - 1,
		ttlResolution: 0,
		perf: { now: () => now().getTime() },
	});
	return { has: (code: string) => codes.has(code), add: (code: string) => void codes.set(code, true) };
}
