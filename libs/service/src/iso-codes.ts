import { z } from 'zod';

/** A code matching the pattern. */
export function code(pattern: RegExp, message: string) {
	return z.string().regex(pattern, message);
}

/** ISO 3166-1 alpha-2, e.g. AT. */
export const isoAlpha2 = code(/^[A-Z]{2}$/, 'must be two capital letters').describe(
	'Country, ISO 3166-1 alpha-2.',
);

/** ISO 3166-2, e.g. AT-3. */
export const iso3166Part2 = code(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'must be a code such as AT-3').describe(
	'State or province, ISO 3166-2.',
);
