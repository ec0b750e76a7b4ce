import { dayMax, dayMin, yearOf } from '@paddock/calendar';
import { hasHiddenCharacter, hasLongMarkRun, hasTextOrder, marksMax } from '@paddock/text';
import { z } from 'zod';

/** A UUID in lower-case canonical form. */
export const id = z
	.uuid('must be a UUID')
	.transform((value) => value.toLowerCase())
	.describe('UUID of the record.');

export const idParameters = z.strictObject({ id });

/** A calendar day, `YYYY-MM-DD`, from the year 1 on: ISO 8601 has a year 0, PostgreSQL doesn't. */
export const isoDate = z.iso
	// Without `abort` the ranges of isoDate and day report the same text again.
	.date({ error: 'must be a date such as 2026-02-28', abort: true })
	.refine((value) => value >= '0001-01-01', {
		params: { code: 'INVALID_RANGE' },
		message: 'must not lie before the year 1',
	})
	.describe('Calendar day, YYYY-MM-DD.');

const firstInstantMs = Date.parse(dayMin);
const lastInstantMs = Date.parse(`${dayMax}T23:59:59.999Z`);

/** An instant in ISO 8601 within the years of `day`: PostgreSQL has no year 0, JavaScript formats those past 9999 differently. */
export const instant = z.iso
	.datetime({ offset: true, message: 'must be an instant such as 2026-02-28T12:00:00Z' })
	.refine(isWithinYears, {
		params: { code: 'INVALID_RANGE' },
		message: `must be from ${yearOf(dayMin)} to ${yearOf(dayMax)}`,
	})
	.describe('ISO 8601 with an offset; responses use UTC.');

function isWithinYears(value: string): boolean {
	const instantMs = Date.parse(value);
	// An invalid instant already has its own issue.
	return Number.isNaN(instantMs) || (instantMs >= firstInstantMs && instantMs <= lastInstantMs);
}

/** The version of the record; incremented by each change. */
export const version = z
	.int()
	.min(1)
	.describe('Incremented by each change; the record’s `ETag` contains it.');

export const recordTimes = {
	createdAt: instant.describe('When the record was created, in UTC.'),
	updatedAt: instant.describe('When the record last changed, in UTC.'),
};

const controls = /[\p{Cc}\u2028\u2029]/u;
const controlsButLineBreaks = /[^\P{Cc}\n\r\t]/u;

interface Refusal {
	readonly of: (text: string) => boolean;
	readonly message: string;
}

const lineRefusals: readonly Refusal[] = [
	{ of: (text) => controls.test(text), message: 'must not contain control characters' },
	{ of: hasHiddenCharacter, message: 'must not contain invisible characters' },
];

const paragraphRefusals: readonly Refusal[] = [
	{ of: (text) => controlsButLineBreaks.test(text), message: 'must not contain control characters' },
	{ of: hasTextOrder, message: 'must not contain bidirectional controls' },
];

/** One line of display text: trimmed, NFC, without control and invisible characters; the length counts code points. */
export function line(lengthMin: number, lengthMax: number) {
	return text(lengthMin, lengthMax, lineRefusals);
}

/** Text of several lines. */
export function paragraphs(lengthMin: number, lengthMax: number) {
	return text(lengthMin, lengthMax, paragraphRefusals);
}

/** Allows for decomposed letters, surrogates and surrounding blanks, all of which count less after normalisation. */
const codeUnitsOf = (lengthMax: number) => 4 * lengthMax + 100;

/** Text that is safe to normalise, which takes quadratic time in a run of marks. `lengthMax`: code points after it. */
export function normalisableText(lengthMin: number, lengthMax: number) {
	return z.string('must be text').superRefine((value, context) => {
		if (value.length > codeUnitsOf(lengthMax)) context.addIssue(lengthIssue(lengthMin, lengthMax));
		else if (hasLongMarkRun(value))
			context.addIssue({
				code: 'custom',
				message: `must not have more than ${marksMax} combining marks in a row`,
			});
	});
}

export function lengthIssue(lengthMin: number, lengthMax: number) {
	return {
		code: 'custom' as const,
		params: { code: 'INVALID_LENGTH' },
		message: `must have ${lengthMin} to ${lengthMax} characters`,
	};
}

function text(lengthMin: number, lengthMax: number, refusals: readonly Refusal[]) {
	// A schema with issues doesn't run its transform.
	return normalisableText(lengthMin, lengthMax)
		.transform((value) => value.trim().normalize('NFC'))
		.superRefine((value, context) => {
			const length = [...value].length;
			if (length < lengthMin || length > lengthMax) context.addIssue(lengthIssue(lengthMin, lengthMax));
			for (const { of, message } of refusals) if (of(value)) context.addIssue({ code: 'custom', message });
		})
		.meta({ type: 'string', minLength: lengthMin, maxLength: lengthMax });
}

/** An integer in a query. Only plain digits are accepted: `Number('')` would be 0 and `Number('1e3')` 1000. */
export function queryInteger(min: number, max: number) {
	return z
		.string()
		.regex(/^-?\d{1,15}$/, 'must be a whole number')
		.transform(Number)
		.refine((value) => value >= min && value <= max, {
			message: `must be from ${min} to ${max}`,
			params: { code: 'INVALID_RANGE' },
		})
		.meta({ type: 'integer', minimum: min, maximum: max });
}

export const queryBoolean = z
	.enum(['true', 'false'], 'must be true or false')
	.transform((value) => value === 'true')
	.meta({ type: 'boolean' });

/** A search text: 1 to 100 characters. One finds whole words only, see `textQuery` in libs/database. */
export const searchText = line(1, 100);

/** Whether it only makes another schema optional, nullable or read-only, or gives it a default. */
export function isWrapper(
	schema: z.ZodType,
): schema is z.ZodOptional | z.ZodNullable | z.ZodDefault | z.ZodReadonly {
	return (
		schema instanceof z.ZodOptional ||
		schema instanceof z.ZodNullable ||
		schema instanceof z.ZodDefault ||
		schema instanceof z.ZodReadonly
	);
}
