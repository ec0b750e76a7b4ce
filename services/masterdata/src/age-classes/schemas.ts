import {
	bodyFields,
	collectionParameters,
	day,
	filterValues,
	id,
	line,
	recordTimes,
	renamed,
	version,
	whenValid,
} from '@paddock/service';
import { z } from 'zod';
import { ownCode } from '../codes.ts';

const ruleset = z
	.enum(['OETO', 'FEI'])
	.meta({ id: 'Ruleset', description: 'OETO: the Austrian tournament rules; FEI: the international ones.' });

const category = z
	.enum(['RIDER', 'PONY'])
	.meta({ id: 'AgeCategory', description: 'RIDER: riders of horses; PONY: riders of ponies.' });

const age = z.int().min(0).max(150);

const fields = {
	code: ownCode.describe('Code of the age class, unique per ruleset and category on any day.'),
	ruleset,
	nameEn: line(1, 100).describe('English name.'),
	nameDe: line(1, 100).describe('German name.'),
	category,
	discipline: ownCode
		.nullable()
		.describe('The only discipline that it applies to, such as DRESSAGE; null = all.'),
	minAge: age.nullable().describe('Lowest age in years, inclusive, by calendar year; null = open.'),
	maxAge: age.nullable().describe('Highest age in years, inclusive, by calendar year; null = open.'),
	legalReference: line(1, 200).describe('Source of the rule, such as OeTO 2026 §12(2).'),
	validFrom: day.nullable().describe('The first day of this definition; null = open.'),
	validTo: day.nullable().describe('The last day of this definition; null = open.'),
};

const exampleTimes = { createdAt: '2026-01-15T08:30:00.000Z', updatedAt: '2026-03-02T17:05:12.000Z' };
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

export const ageClass = z.strictObject({ id, ...fields, ...recordTimes, version }).meta({
	id: 'AgeClass',
	description: 'A class of competitors by age. Classes overlap.',
	example: { id: exampleId, ...example, ...exampleTimes, version: 1 },
});

export type AgeClass = z.output<typeof ageClass>;

const notBelow = (field: string, lower: string, message: string) => ({
	path: [field],
	message,
	params: { code: 'INVALID_RANGE' },
	when: whenValid(field, lower),
});

export const ageClassBody = z
	.strictObject(bodyFields(fields))
	.refine(
		({ minAge, maxAge }) => minAge === null || maxAge === null || minAge <= maxAge,
		notBelow('maxAge', 'minAge', 'must not be less than minAge'),
	)
	.refine(
		({ validFrom, validTo }) => validFrom === null || validTo === null || validFrom <= validTo,
		notBelow('validTo', 'validFrom', 'must not be before validFrom'),
	)
	.meta({
		id: 'AgeClassBody',
		'x-fresh-example': { code: 'MASTERS_######' },
		description: 'Writable fields of an age class.',
		example: {
			...example,
			code: 'MASTERS',
			nameEn: 'Masters',
			nameDe: 'Altersklasse 60',
			minAge: 60,
			maxAge: null,
		},
	});

export type AgeClassBody = z.output<typeof ageClassBody>;

export const ageClassQuery = z.strictObject({
	ruleset: filterValues(ruleset).optional().describe('Age classes of this ruleset.'),
	category: filterValues(category).optional().describe('Age classes of this category.'),
	discipline: filterValues(ownCode).optional().describe('Age classes that apply to this discipline only.'),
	...collectionParameters({
		of: 'AgeClass',
		text: 'Part of a name or of the code; matches at the beginning come first.',
		sort: ['ruleset', 'category', 'minAge', 'maxAge', 'code', 'nameEn', 'nameDe'],
	}),
});

export const applicableQuery = z.strictObject({
	dateOfBirth: renamed(day.describe('Date of birth of the competitor.'), 'birthDate'),
	date: day.optional().describe('The day of the competition; today in Austria if omitted.'),
	ruleset: ruleset.optional().describe('Both if omitted.'),
	category: category.optional().describe('RIDER if omitted.'),
	discipline: ownCode
		.optional()
		.describe(
			'Classes of this discipline, and general ones that it does not define anew. If omitted, classes that a discipline defines anew have their general ages.',
		),
});

export const applicableAgeClasses = z
	.strictObject({
		ageInYear: z.int().min(0).describe('Year of the date minus year of birth: the age that counts.'),
		ageOnDate: z.int().min(0).describe('Completed years of age on the date.'),
		ageClasses: z.array(ageClass).describe('Age classes in which the competitor may start.'),
	})
	.meta({
		id: 'ApplicableAgeClasses',
		description: 'Age of a competitor and the age classes that follow from it.',
		example: {
			ageInYear: 16,
			ageOnDate: 15,
			ageClasses: [{ id: exampleId, ...example, ...exampleTimes, version: 1 }],
		},
	});

type Meaning = Pick<AgeClass, 'ruleset' | 'code' | 'discipline'>;

/**
 * Its own classes replace the general ones of the same code (OeTO §12(2): juniors in driving are 14 to 18). Without a discipline, the
 * general ones and those that exist in one discipline only. `all`: of one day and one category.
 */
export function inDiscipline<Class extends Meaning>(
	all: readonly Class[],
	discipline: string | undefined,
): readonly Class[] {
	const named = ({ ruleset, code }: Meaning) => `${ruleset} ${code}`;
	const codes = (classes: readonly Class[]) => new Set(classes.map(named));
	const general = all.filter((each) => each.discipline === null);
	const own = all.filter((each) => each.discipline !== null && each.discipline === discipline);
	if (discipline !== undefined) {
		const replaced = codes(own);
		return all.filter((each) => own.includes(each) || (general.includes(each) && !replaced.has(named(each))));
	}
	const known = codes(general);
	return all.filter((each) => each.discipline === null || !known.has(named(each)));
}

type Bounds = Pick<AgeClass, 'minAge' | 'maxAge' | 'validFrom' | 'validTo'>;

/** Whether a competitor of that age may start in the class on that day; all bounds are inclusive, null is open. */
export function isApplicable({ minAge, maxAge, ...validity }: Bounds, age: number, date: string): boolean {
	if (minAge !== null && age < minAge) return false;
	if (maxAge !== null && age > maxAge) return false;
	return isValidOn(validity, date);
}

export function isValidOn(
	{ validFrom, validTo }: Pick<Bounds, 'validFrom' | 'validTo'>,
	date: string,
): boolean {
	// Dates of this format compare as text.
	if (validFrom !== null && date < validFrom) return false;
	return validTo === null || date <= validTo;
}
