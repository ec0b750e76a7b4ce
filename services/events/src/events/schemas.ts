import { dayCount } from '@paddock/calendar';
import { bodyFields, whenValid } from '@paddock/service';
import { z } from 'zod';
import { categoryExamples, disciplinesOfCategory, isCategory } from './category.ts';
import { eventExample, eventFields, eventNumber } from './event-fields.ts';

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

/** Adds the rules for days and deadlines of an event. */
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

/** The days and deadlines of an event alone. */
export const eventDates = withDateRules(
	z.strictObject({ startDate, endDate, entriesOpenAt, entryDeadline, lateEntryUntil }),
);

/** Request body. An omitted optional field gets its default, on PUT too; an omitted number stays unchanged. */
export const eventBody = withDateRules(
	z
		.strictObject({
			eventNumber: eventNumber.written
				.optional()
				.describe(
					'Number of the event: assigned if absent; only the federation’s office sets or changes it.',
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

function offersItsCategory({
	category,
	disciplines,
}: {
	category: string;
	disciplines: readonly string[];
}): boolean {
	const named = disciplinesOfCategory(category);
	return named.length === 0 || named.some((discipline) => disciplines.includes(discipline));
}

function disciplinesFor(input: unknown): string {
	const category = typeof input === 'object' && input !== null ? Reflect.get(input, 'category') : undefined;
	return disciplinesOfCategory(String(category)).join(' or ');
}

function examplesFor(input: unknown): string {
	const ruleset = typeof input === 'object' && input !== null ? Reflect.get(input, 'ruleset') : undefined;
	return categoryExamples[ruleset === 'FEI' ? 'FEI' : 'OETO'];
}
