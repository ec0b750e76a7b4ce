import {
	day,
	id,
	line,
	pageParameters,
	pageSchema,
	sortParameter,
	version,
	whenValid,
} from '@paddock/service';
import { z } from 'zod';
import { ownCode } from './codes.ts';

export const rulesets = ['OETO', 'FEI'] as const;

const ruleset = z
	.enum(rulesets, `must be one of ${rulesets.join(', ')}`)
	.describe('OETO: the Austrian tournament rules; FEI: the international ones.');

/** Horse or pony, which determines the table of ages. */
export const ageCategories = ['RIDER', 'PONY'] as const;

const category = z
	.enum(ageCategories, `must be one of ${ageCategories.join(', ')}`)
	.describe('RIDER: those who ride horses; PONY: those who ride ponies.');

const age = z.int().min(0).max(150);

const fields = {
	code: ownCode,
	ruleset,
	nameEn: line(1, 100),
	nameDe: line(1, 100),
	category,
	discipline: ownCode.nullable().describe('Only there, e.g. DRESSAGE; null = in all disciplines.'),
	minAge: age.nullable().describe('Inclusive, by calendar year; null = open.'),
	maxAge: age.nullable().describe('Inclusive, by calendar year; null = open.'),
	legalReference: line(1, 200).describe('Where the rule is written.'),
	validFrom: day.nullable().describe('The first day of this definition; null = open.'),
	validTo: day.nullable().describe('The last day of this definition; null = open.'),
};

const example = {
	code: 'JUNIOR',
	ruleset: 'OETO' as const,
	nameEn: 'Juniors',
	nameDe: 'Junioren',
	category: 'RIDER' as const,
	discipline: null,
	minAge: 16,
	maxAge: 18,
	legalReference: 'OeTO 2026 §12(2)',
	validFrom: null,
	validTo: null,
};
const exampleId = 'b1a0a4f5-9f3e-4d0e-8a53-6d9c6f1f7e03';

/** A class of competitors by age. Classes overlap. */
export const ageClass = z
	.strictObject({ id, ...fields, version })
	.meta({ id: 'AgeClass', example: { id: exampleId, ...example, version: 1 } });

export type AgeClass = z.output<typeof ageClass>;

const notBelow = (field: string, lower: string, message: string) => ({
	path: [field],
	message,
	params: { code: 'INVALID_RANGE' },
	when: whenValid(field, lower),
});

/** Request body. An optional field that is left out gets its default, on PUT too. */
export const ageClassBody = z
	.strictObject({
		...fields,
		discipline: fields.discipline.default(null),
		minAge: fields.minAge.default(null),
		maxAge: fields.maxAge.default(null),
		validFrom: fields.validFrom.default(null),
		validTo: fields.validTo.default(null),
	})
	.refine(
		({ minAge, maxAge }) => minAge === null || maxAge === null || minAge <= maxAge,
		notBelow('maxAge', 'minAge', 'must not be less than minAge'),
	)
	.refine(
		({ validFrom, validTo }) => validFrom === null || validTo === null || validFrom <= validTo,
		notBelow('validTo', 'validFrom', 'must not be before validFrom'),
	)
	.meta({ id: 'AgeClassBody', example });

export type AgeClassBody = z.output<typeof ageClassBody>;

export const ageClassPage = pageSchema(ageClass).meta({ id: 'AgeClassPage' });

export const ageClassSortFields = [
	'ruleset',
	'category',
	'minAge',
	'maxAge',
	'code',
	'nameEn',
	'nameDe',
] as const;

export const ageClassQuery = z.strictObject({
	ruleset: ruleset.optional(),
	category: category.optional(),
	discipline: ownCode.optional().describe('Those of this discipline alone.'),
	sort: sortParameter(ageClassSortFields).optional(),
	...pageParameters,
});

export type AgeClassQuery = z.output<typeof ageClassQuery>;

export const applicableQuery = z.strictObject({
	birthDate: day,
	date: day.optional().describe('The day of the competition; today in Austria when left out.'),
	ruleset: ruleset.optional().describe('Both when left out.'),
	category: category.optional().describe('RIDER when left out.'),
});

/** Age classes in which a competitor may start. */
export const applicableAgeClasses = z
	.strictObject({
		ageInYear: z.int().min(0).describe('Year of the date minus year of birth: the age that counts.'),
		ageOnDate: z.int().min(0).describe('In completed years.'),
		ageClasses: z.array(ageClass),
	})
	.meta({
		id: 'ApplicableAgeClasses',
		example: { ageInYear: 16, ageOnDate: 15, ageClasses: [{ id: exampleId, ...example, version: 1 }] },
	});
