import type { CallContext, Peer } from '@paddock/peers';
import { z } from 'zod';

/** Knows which codes of countries and states the master data has. */
export interface PlaceCodes {
	/** ISO 3166-1 alpha-2. @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT when nobody can say. */
	hasCountry(code: string, context: CallContext): Promise<boolean>;
	/** ISO 3166-2. @throws ApiError SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT when nobody can say. */
	hasState(code: string, context: CallContext): Promise<boolean>;
}

/** For a deployment without master data: every code of the right shape will do. */
export const anyPlaceCode: PlaceCodes = {
	hasCountry: async () => true,
	hasState: async () => true,
};

const rememberedMs = 5 * 60_000;
const rememberedMax = 1_000;
const pageSize = 200;
// No country has so many; an answer that never ends must not be followed for ever.
const pagesMax = 10;

const country = z.object({ isoAlpha2: z.string() });
const statePage = z.object({
	items: z.array(z.object({ iso3166_2: z.string() })),
	pagination: z.object({ hasNext: z.boolean() }),
});

/** Asks the master data and remembers what there is; what isn't there may be added any moment, and is asked for again. */
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
