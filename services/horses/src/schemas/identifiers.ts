import { code } from '@paddock/service';
import { z } from 'zod';
import { cleanNumber, uelnFormat, writtenUelnFormat } from './clean-number.ts';

const cleanedUeln = z
	.string()
	.max(60, 'must have at most 60 characters')
	.regex(writtenUelnFormat, 'must be three digits and twelve letters or digits')
	.transform(cleanNumber)
	.nullable();

// The OpenAPI generator cannot inspect a transform, and drops `nullable` if the type is set manually.
const nullableText = { type: 'string', nullable: true } as const;

/** Stored form. */
export const ueln = cleanedUeln.meta({
	...nullableText,
	pattern: uelnFormat.source,
	description: 'Universal Equine Life Number (UELN); null if unknown.',
});

/** Accepted input form. */
export const writtenUeln = cleanedUeln.meta({
	...nullableText,
	pattern: writtenUelnFormat.source,
	description:
		'Universal Equine Life Number (UELN); null if unknown. Blanks and . - : are dropped; the first three digits are the ISO 3166-1 numeric code of a country.',
});

export const microchip = code(/^\d{15}$/, 'must be fifteen digits')
	.nullable()
	.describe('Transponder code, ISO 11784; null without a microchip.');

export const federationHorseNumber = code(/^\d{10}$/, 'must be ten digits')
	.nullable()
	.describe('Number of the horse at the federation; null without one. The office writes it.');

export const headNumber = code(/^[0-9A-ZÖ]{4}$/, 'must be four digits or capital letters')
	.nullable()
	.describe('Number that the horse wears at tournaments; null without one. The office writes it.');

export const feiId = code(/^\d{3}[A-Z]{2}\d{2}$/, 'must be such as 104AB12')
	.nullable()
	.describe('Number of the horse at the FEI; null without one. The office writes it.');

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
			description: 'UELN, microchip, federation, head, FEI or passport number; blanks and . - : are ignored.',
		}),
});
