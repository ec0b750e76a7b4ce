import {
	bodyFields,
	collectionParameters,
	id,
	isoAlpha2,
	line,
	pageSchema,
	queryBoolean,
	recordTimes,
	version,
} from '@paddock/service';
import { z } from 'zod';
import { iocCode, isoAlpha3, isoNumeric } from '../codes.ts';

const fields = {
	isoAlpha2: isoAlpha2.describe('ISO 3166-1 alpha-2.'),
	isoAlpha3: isoAlpha3.describe('ISO 3166-1 alpha-3.'),
	isoNumeric: isoNumeric.describe('ISO 3166-1 numeric; 900 to 999 are free for codes of one’s own.'),
	iocCode: iocCode
		.nullable()
		.describe('The code that sport uses; null without a national Olympic committee.'),
	nameEn: line(1, 100).describe('English name.'),
	nameDe: line(1, 100).describe('German name.'),
	isEuMember: z.boolean().describe('Member of the European Union.'),
	isEeaMember: z
		.boolean()
		.describe('Member of the European Economic Area: the EU, Iceland, Liechtenstein, Norway.'),
	isActive: z.boolean().describe('Whether the country is offered for choice.'),
	sortOrder: z.int().min(0).max(1_000_000).describe('Smaller comes first.'),
};

const exampleTimes = { createdAt: '2026-01-15T08:30:00.000Z', updatedAt: '2026-03-02T17:05:12.000Z' };
/** Not in the seed: ISO 3166-1 leaves XK to its users. */
const example = {
	isoAlpha2: 'XK',
	isoAlpha3: 'XKX',
	isoNumeric: '983',
	iocCode: 'KOS',
	nameEn: 'Kosovo',
	nameDe: 'Kosovo',
	isEuMember: false,
	isEeaMember: false,
	isActive: true,
	sortOrder: 1_000,
};

export const country = z.strictObject({ id, ...fields, ...recordTimes, version }).meta({
	id: 'Country',
	description: 'A country with its codes.',
	example: { id: '0b9f6f3c-52b4-4b4e-9f0c-5d4f2f8f1a11', ...example, ...exampleTimes, version: 1 },
});

export type Country = z.output<typeof country>;

export const countryBody = z
	.strictObject(
		bodyFields(fields, { isEuMember: false, isEeaMember: false, isActive: true, sortOrder: 1_000 }),
	)
	.meta({
		id: 'CountryBody',
		description: 'Writable fields of a country.',
		example,
		'x-fresh-example': { isoAlpha2: 'X?', isoAlpha3: 'X??', isoNumeric: '9##', iocCode: 'X??' },
	});

export type CountryBody = z.output<typeof countryBody>;

export const countryPage = pageSchema(country).meta({ id: 'CountryPage' });

export const activeCountryQuery = z.strictObject({
	isEuMember: queryBoolean.optional().describe('Members of the European Union, or all others.'),
	isEeaMember: queryBoolean.optional().describe('Members of the European Economic Area, or all others.'),
	...collectionParameters({
		of: 'Country',
		text: 'Part of a name or of a code; matches at the beginning come first.',
		sort: ['sortOrder', 'nameEn', 'nameDe', 'isoAlpha2', 'isoAlpha3', 'isoNumeric', 'iocCode'],
	}),
});

export const countryQuery = activeCountryQuery.extend({
	isActive: queryBoolean.optional().describe('Countries that are offered for choice, or all others.'),
});

const countryCode = /^([A-Za-z]{2,3}|[0-9]{3})$/;

export const countryCodeParameters = z.strictObject({
	code: z
		.string()
		.regex(countryCode, 'must be two or three letters or three digits')
		.transform((value) => value.toUpperCase())
		.meta({
			type: 'string',
			pattern: countryCode.source,
			example: 'SUI',
			description: 'ISO 3166-1 alpha-2, alpha-3 or numeric, or the IOC code; in either case.',
		}),
});
