import { dayMax, dayMin } from '@paddock/calendar';
import { z } from 'zod';
import { isoDate, line, paragraphs } from './schemas.ts';

const emailLengthMax = 254;

/**
 * An e-mail address: trimmed, at most 254 characters (RFC 5321 §4.5.3.1.3), in lower case. Its characters are ASCII
 * (other domains in their xn-- form), which is checked before lower-casing: that converts the Kelvin sign to a plain k,
 * so two addresses could become one.
 */
export const emailAddress = z
	.string('must be text')
	.max(4 * emailLengthMax, `must have at most ${emailLengthMax} characters`)
	.transform((value) => value.trim())
	.pipe(
		z
			.email('must be an e-mail address such as anna@example.org')
			.max(emailLengthMax, `must have at most ${emailLengthMax} characters`),
	)
	.transform((value) => value.toLowerCase())
	.meta({
		type: 'string',
		format: 'email',
		maxLength: emailLengthMax,
		description: 'E-mail address; stored in lower case.',
	});

/** The same or null; as with `line`, the OpenAPI generator omits `nullable` if the type is set explicitly. */
export const nullableEmailAddress = emailAddress.nullable().meta({
	type: 'string',
	format: 'email',
	maxLength: emailLengthMax,
	nullable: true,
	description: 'E-mail address, stored in lower case; null if unknown.',
});

const webAddressLengthMax = 500;

/** A web address. Spaces and control characters, which URL parsers drop silently, are refused, as are other schemes. */
export const webAddress = z
	.url({ protocol: /^https?$/, error: 'must be an address of the web such as https://example.org' })
	.regex(/^[!-~]+$/, 'must be plain ASCII without spaces; a name such as münchen.at in its xn-- form')
	.max(webAddressLengthMax, `must have at most ${webAddressLengthMax} characters`)
	.meta({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$', description: 'Web address, http or https.' });

/** A day in the plausible range: a year such as 0026 or 20026 is a typing error. */
export const day = isoDate.refine((value) => value >= dayMin && value <= dayMax, {
	message: `must be from ${dayMin} to ${dayMax}`,
	params: { code: 'INVALID_RANGE' },
});

/** A code matching the pattern. */
export function code(pattern: RegExp, message: string) {
	return z.string().regex(pattern, message);
}

/** ISO 3166-1 alpha-2, e.g. AT. */
export const isoAlpha2 = code(/^[A-Z]{2}$/, 'must be two capital letters').describe(
	'Country, ISO 3166-1 alpha-2.',
);

/** ISO 3166-2, e.g. AT-3. */
export const iso3166Part2 = code(/^[A-Z]{2}-[A-Z0-9]{1,3}$/, 'must be a code such as AT-3').describe(
	'State or province, ISO 3166-2.',
);

/**
 * A line of text, not empty, or null. The OpenAPI generator omits `nullable` if a schema's type is set explicitly, as in
 * `line`.
 */
export function nullableLine(lengthMax: number) {
	return line(1, lengthMax)
		.nullable()
		.meta({ type: 'string', minLength: 1, maxLength: lengthMax, nullable: true });
}

/** Text of several lines or null, likewise. */
export function nullableParagraphs(lengthMax: number) {
	return paragraphs(1, lengthMax)
		.nullable()
		.meta({ type: 'string', minLength: 1, maxLength: lengthMax, nullable: true });
}

/** An array of unique items, also in the OpenAPI document; `message` is the field error for a repeated item. */
export function uniqueItems<Item extends string>(schema: z.ZodArray<z.ZodType<Item>>, message: string) {
	return schema.refine((items) => new Set(items).size === items.length, message).meta({ uniqueItems: true });
}
