import { z } from 'zod';
import { createFoundCodes } from './found-codes.ts';
import type { CallContext, Peer } from './peer.ts';

/** Country codes of the master data. */
export interface CountryCodes {
	/** An ISO 3166-1 alpha-2 or numeric code. @throws ApiError as `Peer.get` */
	isKnown(code: string, context: CallContext): Promise<boolean>;
}

const country = z.object({ isoAlpha2: z.string(), isoNumeric: z.string() });

/** Codes that were found are cached, see `createFoundCodes`. */
export function createCountryCodes(masterdata: Peer, now: () => Date): CountryCodes {
	const known = createFoundCodes(now);
	return {
		isKnown: async (code, context) => {
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
