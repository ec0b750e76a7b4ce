import type { Peer } from '@paddock/peers';
import { z } from 'zod';
import type { CallContext } from '../deps.ts';

/** Which codes of countries master data knows. */
export interface CountryCodes {
	/** An ISO 3166-1 alpha-2 or numeric code. @throws ApiError as `Peer.get` */
	isKnown(code: string, context: CallContext): Promise<boolean>;
}

export interface CountryCodesDeps {
	readonly masterdata: Peer;
	readonly now: () => Date;
}

/** For how long a country that was found is not asked for again. */
export const codeLifetimeMs = 5 * 60_000;

// More than there are: 249 countries with two codes each. Only codes that exist are stored, so that callers can't fill it.
const codesMax = 600;

const country = z.object({ isoAlpha2: z.string(), isoNumeric: z.string() });

/** Caches codes that were found; an unknown code may be added at any moment and is looked up again. */
export function createCountryCodes({ masterdata, now }: CountryCodesDeps): CountryCodes {
	const foundAtMs = new Map<string, number>();
	const remember = (code: string): void => {
		foundAtMs.delete(code);
		foundAtMs.set(code, now().getTime());
		const [oldest] = foundAtMs.keys();
		if (foundAtMs.size > codesMax && oldest !== undefined) foundAtMs.delete(oldest);
	};
	return {
		isKnown: async (code, context) => {
			const knownAtMs = foundAtMs.get(code);
			if (knownAtMs !== undefined && now().getTime() - knownAtMs < codeLifetimeMs) return true;
			const found = await masterdata.get({
				path: `/api/masterdata/countries/by-code/${encodeURIComponent(code)}`,
				schema: country,
				credentials: 'none',
				...context,
			});
			// by-code knows other kinds of codes too, which are none here.
			if (found === undefined || (found.isoAlpha2 !== code && found.isoNumeric !== code)) return false;
			remember(code);
			return true;
		},
	};
}
