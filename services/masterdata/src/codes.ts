import { code } from '@paddock/service';
import { z } from 'zod';

export const isoAlpha3 = code(/^[A-Z]{3}$/, 'must be three capital letters');

/** ISO 3166-1 numeric, a string because of the leading zeros, e.g. 040. */
export const isoNumeric = code(/^\d{3}$/, 'must be three digits');

/** The code of a national Olympic committee, as used in sport, e.g. SUI for Switzerland. */
export const iocCode = code(/^[A-Z]{3}$/, 'must be three capital letters');

/** The two digits by which the Austrian federation numbers its state associations, e.g. 02. */
export const federationCode = code(/^\d{2}$/, 'must be two digits');

/** A code defined by this system: capital letters, digits and underscores. */
export const ownCode = code(
	/^[A-Z][A-Z0-9_]{0,39}$/,
	'must be up to 40 capital letters, digits and underscores, a letter first',
).describe('Code of this system, such as JUNIOR.');

export const countryCodeFilter = z
	.string()
	.regex(/^[A-Za-z]{2}$/, 'must be two letters')
	.transform((value) => value.toUpperCase())
	.meta({
		type: 'string',
		pattern: '^[A-Za-z]{2}$',
		description: 'ISO 3166-1 alpha-2, in either case.',
		example: 'AT',
	});
