import {
	collectionParameters,
	filterValues,
	id,
	line,
	queryBoolean,
	renamed,
	searchText,
	whenValid,
} from '@paddock/service';
import { z } from 'zod';
import { horseStatus, sex } from './words.ts';

const yearOrDayPattern = '^(19|2[01])[0-9]{2}(-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01]))?$';

/** A year or a day as query parameter; some horses have a year of birth only. */
const yearOrDay = z.union(
	[
		z.string().regex(/^(19|2[01])\d\d$/),
		z.iso.date().refine((value) => value >= '1900-01-01' && value <= '2199-12-31'),
	],
	'must be a year from 1900 to 2199 or a day such as 2016-04-21',
);

const bornBound = (description: string) =>
	yearOrDay.optional().meta({ type: 'string', pattern: yearOrDayPattern, description, example: '2016' });

const collection = collectionParameters({
	of: 'Horse',
	text: 'Parts of the name or of any number that the caller may read; all words must match.',
	sort: ['name', 'birthYear', 'breed', 'sex', 'registeredOn'],
});

const filters = {
	sex: filterValues(sex).optional().describe('Horses of these sexes.'),
	breed: line(1, 60).optional().describe('The whole name of the breed; case and diacritics do not matter.'),
	bornFrom: bornBound(
		'Born in this year or on this day, or later; a horse without a day of birth is compared by year.',
	),
	bornTo: bornBound('Born in this year or on this day, or earlier.'),
	ownerId: filterValues(id)
		.optional()
		.describe(
			'UUIDs of present owners: the caller, or members of a club whose official the caller is; any for the office.',
		),
	responsibleMemberId: renamed(
		filterValues(id)
			.optional()
			.describe('UUIDs of members responsible; whose horses the caller may list is as for `ownerId`.'),
		'responsibleId',
	),
	clubId: filterValues(id, 'startingClubId')
		.optional()
		.describe('Horses that start for these clubs, by UUID.'),
	isPony: queryBoolean.optional().describe('Ponies, or all others.'),
	federationRegistered: queryBoolean
		.optional()
		.describe('Horses with a federation horse number, or all others.'),
	feiRegistered: queryBoolean.optional().describe('Horses with an FEI ID, or all others.'),
	deathReported: queryBoolean
		.optional()
		.describe('Horses with a reported death that awaits a decision, or all others. For the office.'),
	...collection,
};

export const activeHorseQuery = z.strictObject(filters);

export const horseQuery = z.strictObject({
	...filters,
	status: filterValues(horseStatus)
		.optional()
		.describe('Horses in these statuses; all but INACTIVE ones if absent. INACTIVE is for the office.'),
});

export type HorseQuery = z.output<typeof horseQuery>;

export const offspringQuery = z.strictObject(collection);

export type OffspringQuery = z.output<typeof offspringQuery>;

export const horseSearchQuery = z
	.strictObject({
		name: searchText
			.optional()
			.describe(
				'Parts of the name; every word is found. One or two characters are looked for at the beginning of words, a single one alone finds whole words.',
			),
		...collection,
		q: searchText
			.optional()
			.describe(
				'Parts of the name or of any number; all words must match. One or two characters are looked for at the beginning of words and numbers. Complete numbers come first, then names that begin with the text.',
			),
	})
	.refine(({ name, q }) => name !== undefined || q !== undefined, {
		path: ['q'],
		message: 'is required, or else name',
		params: { code: 'REQUIRED' },
		when: whenValid('name', 'q'),
	});

export type HorseSearchQuery = z.output<typeof horseSearchQuery>;
