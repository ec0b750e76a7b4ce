import type { CallContext, Peer } from '@paddock/peers';
import { z } from 'zod';
import { callContextOf } from './call-context-of.ts';

/** Country codes of the master data. */
export interface CountryCodes {
	/** An ISO 3166-1 alpha-2 or numeric code. @throws ApiError as `Peer.get` */
	isKnown(code: string, context: CallContext): Promise<boolean>;
}

/** How long a code that was found is cached. */
export const codeLifetimeMs = 5 * 60_000;

// Above the real number: 249 countries with two codes each. Only existing codes are stored, so callers cannot fill the
// cache.
const codesMax = 600;

const country = z.object({ isoAlpha2: z.string(), isoNumeric: z.string() });

/** Caches codes that were found. Unknown codes are not cached, because they may be added at any time. */
export function createCountryCodes(masterdata: Peer, now: () => Date): CountryCodes {
	const knownUntilMs = new Map<string, number>();
	const remember = (code: string): void => {
		knownUntilMs.delete(code);
		knownUntilMs.set(code, now().getTime() + codeLifetimeMs);
		const [oldest] = knownUntilMs.keys();
		if (knownUntilMs.size > codesMax && oldest !== undefined) knownUntilMs.delete(oldest);
	};
	return {
		isKnown: async (code, context) => {
			if ((knownUntilMs.get(code) ?? 0) > now().getTime()) return true;
			const found = await masterdata.get({
				path: `/api/masterdata/countries/by-code/${encodeURIComponent(code)}`,
				schema: country,
				credentials: 'none',
				...callContextOf(context),
			});
			// by-code also accepts other kinds of codes, which are not valid here.
			if (found === undefined || (found.isoAlpha2 !== code && found.isoNumeric !== code)) return false;
			remember(code);
			return true;
		},
	};
}
