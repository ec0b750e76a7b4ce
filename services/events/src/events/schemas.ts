import { dayCount } from '@paddock/calendar';
import { demoClubs, demoVenues } from '@paddock/demo';
import {
	bodyFields,
	day,
	id,
	identifier,
	instant,
	line,
	nullableParagraphs,
	uniqueItems,
	whenValid,
} from '@paddock/service';
import { z } from 'zod';
import { currencies, disciplines, officialRoles, rulesets } from '../enumerations.ts';
import { categoryExamples, disciplinesOfCategory, isCategory } from './category.ts';

const centsMax = 1_000_000;

/** An amount of money in hundredths of the event's currency. */
export const cents = z.int().min(0).max(centsMax).describe('Amount in cents.');

export const currency = z
	.enum(currencies)
	.meta({ id: 'Currency', description: 'ISO 4217, of currencies with hundredths.' });

export const discipline = z
	.enum(disciplines)
	.meta({ id: 'Discipline', description: 'Discipline of equestrian sport.' });

export const ruleset = z
	.enum(rulesets)
	.meta({ id: 'Ruleset', description: 'OETO: the Austrian tournament rules; FEI: the international ones.' });

const disciplineList = uniqueItems(
	z.array(discipline).min(1, 'must name at least one discipline').max(disciplines.length),
	'must name each discipline once',
).describe('Disciplines of the competitions.');

const fees = z
	.strictObject({
		entryFee: cents.default(0).describe('Fee per entry, in cents.'),
		lateSurcharge: cents.default(0).describe('Surcharge of a late entry, in cents.'),
		stable: cents.default(0).describe('Fee per box, in cents; due with the entry that wants boxes.'),
		swap: cents
			.optional()
			.describe(
				'Fee for passing an entry to another horse or rider, in cents. Absent in a request: unchanged, or 0 for a new event.',
			),
		currency: currency
			.default('EUR')
			.describe('Currency of all amounts of the event; fixed once it has an entry.'),
	})
	.meta({ id: 'EventFees', description: 'Fees of an event.' });

export const officialRole = z
	.enum(officialRoles)
	.meta({ id: 'OfficialRole', description: 'Function of an official.' });

const official = z
	.strictObject({
		role: officialRole,
		name: line(1, 120).describe('Full name.'),
		memberId: id
			.nullable()
			.default(null)
			.describe('UUID of the member; null for an official who is not a member.'),
	})
	.meta({ id: 'EventOfficial', description: 'One official of an event.' });

export const eventNumber = identifier([['\\d', 5]], {
	message: 'must be five digits',
	description: 'Number of the event: five digits, unique.',
});

export const eventFields = {
	name: line(1, 120).describe('Name of the event.'),
	description: nullableParagraphs(10_000).describe('Announcement as plain text; null if there is none.'),
	startDate: day.describe('First day, in the time zone of the venue.'),
	endDate: day.describe('Last day, in the time zone of the venue; at most 14 days in all.'),
	venueId: id.describe('UUID of the venue, an active one.'),
	organiserClubId: id.describe('UUID of the organising club, an active one.'),
	ruleset,
	category: z.string().max(20).describe('Category: national such as CSN-B or CDN-A*, FEI such as CSI3*-W.'),
	disciplines: disciplineList,
	isPublic: z.boolean().describe('Whether it is shown without a sign-in once it is published.'),
	entriesOpenAt: instant.nullable().describe('First instant for entries; null = from the publication on.'),
	entryDeadline: instant.nullable().describe('Last instant for entries; null in drafts only.'),
	lateEntryUntil: instant
		.nullable()
		.describe('Last instant for late entries by the organiser, for the surcharge; null = none.'),
	maxEntries: z.int().min(1).max(10_000).nullable().describe('Largest number of entries; null = no limit.'),
	fees,
	officials: z.array(official).max(100).describe('Officials of the event.'),
};

export const maxBoxes = z.int().min(0).max(10_000).nullable();

/** Example values of the fields. They work with the demo data. */
export const eventExample = {
	name: 'Herbstturnier Auwiesen',
	description: 'Springen und Dressur für alle Klassen.',
	startDate: '2030-10-18',
	endDate: '2030-10-20',
	venueId: demoVenues.auwiesen.id,
	organiserClubId: demoClubs.auwiesen.id,
	ruleset: 'OETO' as const,
	category: 'CSN-B',
	disciplines: ['JUMPING' as const, 'DRESSAGE' as const],
	isPublic: true,
	entriesOpenAt: '2030-09-01T06:00:00.000Z',
	entryDeadline: '2030-10-07T21:59:00.000Z',
	lateEntryUntil: '2030-10-14T21:59:00.000Z',
	maxEntries: 120,
	maxBoxes: 80,
	fees: { entryFee: 2500, lateSurcharge: 2500, stable: 9000, swap: 1500, currency: 'EUR' as const },
	officials: [{ role: 'JUDGE' as const, name: 'Renate Richterin', memberId: null }],
};

const daysMax = 14;

const range = (field: string, other: string, message: string) => ({
	path: [field],
	message,
	params: { code: 'INVALID_RANGE' },
	when: whenValid(field, other),
});

const isBefore = (earlier: string, later: string) => new Date(earlier) < new Date(later);

interface EventDates {
	readonly startDate: string;
	readonly endDate: string;
	readonly entriesOpenAt: string | null;
	readonly entryDeadline: string | null;
	readonly lateEntryUntil: string | null;
}

function withDateRules<Schema extends z.ZodType<EventDates>>(schema: Schema): Schema {
	return schema
		.refine(
			({ startDate, endDate }) => startDate <= endDate,
			range('endDate', 'startDate', 'must not be before startDate'),
		)
		.refine(
			({ startDate, endDate }) => dayCount(startDate, endDate) <= daysMax,
			range('endDate', 'startDate', `must not be later than ${daysMax - 1} days after startDate`),
		)
		.refine(
			({ entriesOpenAt, entryDeadline }) =>
				entriesOpenAt === null || entryDeadline === null || isBefore(entriesOpenAt, entryDeadline),
			range('entryDeadline', 'entriesOpenAt', 'must be after entriesOpenAt'),
		)
		.refine(
			({ entryDeadline, lateEntryUntil }) =>
				entryDeadline === null || lateEntryUntil === null || !isBefore(lateEntryUntil, entryDeadline),
			range('lateEntryUntil', 'entryDeadline', 'must not be before entryDeadline'),
		)
		.refine(({ entryDeadline, lateEntryUntil }) => entryDeadline !== null || lateEntryUntil === null, {
			path: ['entryDeadline'],
			message: 'is required where there are late entries',
			params: { code: 'REQUIRED' },
			when: whenValid('entryDeadline', 'lateEntryUntil'),
		});
}

const { startDate, endDate, entriesOpenAt, entryDeadline, lateEntryUntil } = eventFields;

export const eventDates = withDateRules(
	z.strictObject({ startDate, endDate, entriesOpenAt, entryDeadline, lateEntryUntil }),
);

/** Body of a new event, where an omitted optional field gets its default; a change keeps what it omits (`Update`). */
export const eventBody = withDateRules(
	z
		.strictObject({
			eventNumber: eventNumber.written
				.optional()
				.describe(
					'Number of the event: assigned if absent; only the federation’s office sets or changes it.',
				),
			maxBoxes: maxBoxes
				.optional()
				.describe(
					'Largest number of boxes; null = no limit. Absent: unchanged, or no limit for a new event.',
				),
			...bodyFields(eventFields, {
				isPublic: true,
				fees: { entryFee: 0, lateSurcharge: 0, stable: 0, currency: 'EUR' },
				officials: [],
			}),
		})
		.refine(({ category, ruleset }) => isCategory(category, ruleset), {
			path: ['category'],
			error: ({ input }) => `must be a category of the ruleset such as ${examplesFor(input)}`,
			when: whenValid('category', 'ruleset'),
		})
		.refine(offersItsCategory, {
			path: ['disciplines'],
			error: ({ input }) => `must include ${disciplinesFor(input)}, as the category says`,
			params: { code: 'INVALID_REFERENCE' },
			when: whenValid('category', 'disciplines'),
		}),
).meta({ id: 'EventBody', description: 'Writable fields of an event.', example: eventExample });

export type EventBody = z.output<typeof eventBody>;

function offersItsCategory(body: { category: string; disciplines: readonly string[] }): boolean {
	const named = disciplinesOfCategory(body.category);
	return named.length === 0 || named.some((discipline) => body.disciplines.includes(discipline));
}

function disciplinesFor(input: unknown): string {
	const category = typeof input === 'object' && input !== null ? Reflect.get(input, 'category') : undefined;
	return disciplinesOfCategory(String(category)).join(' or ');
}

function examplesFor(input: unknown): string {
	const ruleset = typeof input === 'object' && input !== null ? Reflect.get(input, 'ruleset') : undefined;
	return categoryExamples[ruleset === 'FEI' ? 'FEI' : 'OETO'];
}
