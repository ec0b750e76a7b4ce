import {
	bodyFields,
	collectionParameters,
	count,
	filterValues,
	id,
	iso3166Part2,
	isoAlpha2,
	line,
	nullableLine,
	queryBoolean,
	recordTimes,
	version,
	whenValid,
} from '@paddock/service';
import { z } from 'zod';
import { countryCodeFilter, federationCode } from '../codes.ts';

const fields = {
	countryCode: isoAlpha2.describe('ISO 3166-1 alpha-2 of its country.'),
	iso3166_2: iso3166Part2.describe('ISO 3166-2; begins with the country’s code.'),
	federationCode: federationCode
		.nullable()
		.describe('The number of the state association in the Austrian federation; null abroad.'),
	name: line(1, 100).describe('Name in the language of the country.'),
	abbreviation: nullableLine(10).describe('Common abbreviation, such as NÖ; null if there is none.'),
	isActive: z.boolean().describe('Whether the state is offered for choice.'),
};

const exampleTimes = { createdAt: '2026-01-15T08:30:00.000Z', updatedAt: '2026-03-02T17:05:12.000Z' };
const example = {
	countryCode: 'CH',
	iso3166_2: 'CH-ZH',
	federationCode: null,
	name: 'Zürich',
	abbreviation: 'ZH',
	isActive: true,
};

export const state = z.strictObject({ id, ...fields, ...recordTimes, version }).meta({
	id: 'State',
	description: 'A state, canton or province: the first level below a country.',
	example: { id: '4d0f2c1e-7a55-4b4b-8b65-0f5f0b7d5c02', ...example, ...exampleTimes, version: 1 },
});

export type State = z.output<typeof state>;

export const stateBody = z
	.strictObject(bodyFields(fields, { isActive: true }))
	.refine(({ countryCode, iso3166_2 }) => iso3166_2.startsWith(`${countryCode}-`), {
		path: ['iso3166_2'],
		when: whenValid('countryCode', 'iso3166_2'),
		message: 'must begin with the code of the country',
	})
	.meta({
		id: 'StateBody',
		description: 'Writable fields of a state.',
		example,
		'x-fresh-example': { iso3166_2: 'CH-?##' },
	});

export type StateBody = z.output<typeof stateBody>;

const filters = {
	countryCode: filterValues(countryCodeFilter).optional().describe('States of these countries.'),
	isActive: queryBoolean.optional().describe('States that are offered for choice, or all others.'),
};

export const stateCountQuery = z.strictObject(filters);

export const stateCount = z
	.strictObject({ count })
	.meta({ id: 'NumberOfStates', description: 'Number of states.', example: { count: 9 } });

export const stateQuery = z.strictObject({
	...filters,
	...collectionParameters({
		of: 'State',
		text: 'Part of the name, the abbreviation or a code; matches at the beginning come first.',
		sort: ['countryCode', 'iso3166_2', 'federationCode', 'name'],
	}),
});
