import type { NumberSpace } from '@paddock/database';
import { identifier } from '@paddock/service';
import { cleanNumber } from '@paddock/text';
import { sql } from 'kysely';
import { z } from 'zod';

/** Country, database and animal, without a check digit: https://www.ueln.net/what-is-the-ueln/ */
export const ueln = identifier(
	[
		['\\d', 3],
		['[0-9A-Z]', 12],
	],
	{
		message: 'must be three digits and twelve letters or digits',
		description:
			'Universal Equine Life Number (UELN); null if unknown. The first three digits are the ISO 3166-1 numeric code of a country.',
	},
);

/** The ISO 3166-1 numeric country code at the start of a UELN. */
export function countryOfUeln(stored: string): string {
	return stored.slice(0, 3);
}

export const microchip = identifier([['\\d', 15]], {
	message: 'must be fifteen digits',
	description: 'Transponder code, ISO 11784; null without a microchip.',
});

export const federationHorseNumber = identifier([['\\d', 10]], {
	message: 'must be ten digits',
	description: 'Number of the horse at the federation; null without one. The office writes it.',
});

export const headNumber = identifier([['[0-9A-ZÖ]', 4]], {
	message: 'must be four digits or letters',
	description: 'Number that the horse wears at tournaments; null without one. The office writes it.',
});

export const feiId = identifier(
	[
		['\\d', 3],
		['[A-Z]', 2],
		['\\d', 2],
	],
	{
		message: 'must be such as 104AB12',
		description: 'Number of the horse at the FEI; null without one. The office writes it.',
	},
);

/** The numbers of this registry that end one day (docs/domain.md). The others have ten digits or more. */
export const numberSpaces: Readonly<Record<string, NumberSpace>> = {
	headNumber: { size: 37 ** 4, used: sql`(select count(head_number) from horses)` },
};

export const numberParameters = z.strictObject({
	number: z
		.string()
		.max(60, 'must have at most 60 characters')
		// PostgreSQL takes no NUL in a text, and no number has any other of them.
		.refine((value) => !/\p{Cc}/u.test(value), 'must not contain control characters')
		.transform(cleanNumber)
		.refine((value) => value.length >= 4, {
			params: { code: 'INVALID_LENGTH' },
			message: 'must have at least 4 letters or digits',
		})
		.meta({
			type: 'string',
			minLength: 4,
			maxLength: 60,
			example: '040DEM000000001',
			description:
				'UELN, microchip, federation, head, FEI or passport number; blanks, dots, hyphens and slashes are ignored, as is the case.',
		}),
});
