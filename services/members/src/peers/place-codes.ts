import { type CallingRequest, createCountryCodes, createFoundCodes, type Peer } from '@paddock/peers';
import { z } from 'zod';

export interface PlaceCodes {
	/** ISO 3166-1 alpha-2. @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if the result is unknown. */
	hasCountry(code: string, context: CallingRequest): Promise<boolean>;
	/** ISO 3166-2. @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if the result is unknown. */
	hasState(code: string, context: CallingRequest): Promise<boolean>;
}

/** For a deployment without master data: accepts every well-formed code. */
export const anyPlaceCode: PlaceCodes = { hasCountry: async () => true, hasState: async () => true };

const pageSize = 200;
// No country has so many states; bounds the loop if `hasNext` never becomes false.
const pagesMax = 10;

const statePage = z.object({
	items: z.array(z.object({ iso3166_2: z.string() })),
	pagination: z.object({ hasNext: z.boolean() }),
});

export function createPlaceCodes(masterdata: Peer, now: () => Date): PlaceCodes {
	const known = createFoundCodes(now);
	return {
		hasCountry: createCountryCodes(masterdata, now).isKnown,
		hasState: async (code, context) => {
			if (known.has(code)) return true;
			for (const state of await statesOf(masterdata, code.slice(0, 2), context)) known.add(state);
			return known.has(code);
		},
	};
}

async function statesOf(masterdata: Peer, countryCode: string, context: CallingRequest): Promise<string[]> {
	const codes: string[] = [];
	for (let page = 1; page <= pagesMax; page += 1) {
		const found = await masterdata.get({
			context,
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
