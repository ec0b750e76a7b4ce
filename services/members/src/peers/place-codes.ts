import type { CallContext, Peer } from '@paddock/peers';
import { z } from 'zod';

/** Lookup of country and state codes in the master data. */
export interface PlaceCodes {
	/** ISO 3166-1 alpha-2. @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if the result is unknown. */
	hasCountry(code: string, context: CallContext): Promise<boolean>;
	/** ISO 3166-2. @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if the result is unknown. */
	hasState(code: string, context: CallContext): Promise<boolean>;
}

/** For a deployment without master data: accepts every well-formed code. */
export const anyPlaceCode: PlaceCodes = {
	hasCountry: async () => true,
	hasState: async () => true,
};

const rememberedMs = 5 * 60_000;
const rememberedMax = 1_000;
const pageSize = 200;
// No country has so many states; bounds the loop if `hasNext` never becomes false.
const pagesMax = 10;

const country = z.object({ isoAlpha2: z.string() });
const statePage = z.object({
	items: z.array(z.object({ iso3166_2: z.string() })),
	pagination: z.object({ hasNext: z.boolean() }),
});

/** Queries the master data and caches known codes only: a missing code may be added at any time. */
export function createPlaceCodes(masterdata: Peer, now: () => Date): PlaceCodes {
	const knownUntilMs = new Map<string, number>();
	const isKnown = (code: string) => (knownUntilMs.get(code) ?? 0) > now().getTime();
	const remember = (code: string) => {
		knownUntilMs.delete(code);
		knownUntilMs.set(code, now().getTime() + rememberedMs);
		const [oldest] = knownUntilMs.keys();
		if (knownUntilMs.size > rememberedMax && oldest !== undefined) knownUntilMs.delete(oldest);
	};
	return {
		hasCountry: async (code, context) => {
			if (isKnown(code)) return true;
			const path = `/api/masterdata/countries/by-code/${code}` as const;
			const found = await masterdata.get({ ...context, path, schema: country, credentials: 'none' });
			if (found?.isoAlpha2 !== code) return false;
			remember(code);
			return true;
		},
		hasState: async (code, context) => {
			if (isKnown(code)) return true;
			for (const known of await statesOf(masterdata, code.slice(0, 2), context)) remember(known);
			return isKnown(code);
		},
	};
}

async function statesOf(masterdata: Peer, countryCode: string, context: CallContext): Promise<string[]> {
	const codes: string[] = [];
	for (let page = 1; page <= pagesMax; page += 1) {
		const found = await masterdata.get({
			...context,
			path: '/api/masterdata/states',
			query: { countryCode, size: String(pageSize), page: String(page) },
			schema: statePage,
			credentials: 'none',
		});
		codes.push(...(found?.items.map((state) => state.iso3166_2) ?? []));
		if (found?.pagination.hasNext !== true) break;
	}
	return codes;
}
