import { domainToASCII } from 'node:url';
import { dayMax, dayMin } from '@paddock/calendar';
import { hasLongMarkRun } from '@paddock/text';
import { z } from 'zod';
import { id, instant, isoDate, line, paragraphs } from './schemas.ts';

const emailLengthMax = 254;
/** RFC 5321 §4.5.3.1.1: mail servers may refuse a longer one. */
const localPartLengthMax = 64;

/**
 * An e-mail address: trimmed, at most 254 characters (RFC 5321 §4.5.3.1.3), in lower case; the domain in its xn-- form (IDNA
 * 2008), only ASCII before the @. So no two spellings of one address differ.
 */
export const emailAddress = z
	.string('must be text')
	.max(4 * emailLengthMax, `must have at most ${emailLengthMax} characters`)
	.transform((value) => withAsciiDomain(value.trim()))
	.pipe(
		z
			.email('must be an e-mail address such as anna@example.org')
			.max(emailLengthMax, `must have at most ${emailLengthMax} characters`)
			.refine(
				(value) => value.lastIndexOf('@') <= localPartLengthMax,
				`must have at most ${localPartLengthMax} characters before the @`,
			),
	)
	.transform((value) => value.toLowerCase())
	.meta({
		type: 'string',
		format: 'email',
		maxLength: emailLengthMax,
		description: 'E-mail address; stored in lower case, a domain such as müller.example in its xn-- form.',
	});

/** Letters, digits and what separates them; in other text `domainToASCII` decodes and drops characters. */
const internationalDomain = /^(?=.*[^\0-\x7f])[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u;

function withAsciiDomain(address: string): string {
	const at = address.lastIndexOf('@');
	const domain = address.slice(at + 1);
	if (at === -1 || hasLongMarkRun(domain) || !internationalDomain.test(domain)) return address;
	// Empty if the domain is not valid, which the next step refuses.
	return `${address.slice(0, at)}@${domainToASCII(domain)}`;
}

/** The same or null; as with `line`, the OpenAPI generator omits `nullable` if the type is set explicitly. */
export const nullableEmailAddress = emailAddress.nullable().meta({
	type: 'string',
	format: 'email',
	maxLength: emailLengthMax,
	nullable: true,
	description:
		'E-mail address, stored in lower case, its domain in the xn-- form if it has other letters; null if unknown.',
});

const nameLengthMax = 100;

export const givenNames = line(0, nameLengthMax).describe(
	'Given names; empty for a person with one name, which is the last name.',
);

const written = line(1, nameLengthMax);

/** Given names in a body: null as well as empty for a person with one name. Blanks alone are a mistake in typing. */
export const givenNamesBody = z
	.string('must be text')
	.nullable()
	.transform((value, context) => {
		if (value === null || value === '') return '';
		const { data, error } = written.safeParse(value);
		if (data !== undefined) return data;
		for (const { code: _, ...issue } of error?.issues ?? []) context.addIssue({ ...issue, code: 'custom' });
		return z.NEVER;
	})
	.meta({
		type: 'string',
		nullable: true,
		maxLength: nameLengthMax,
		description: 'Given names; empty, null or absent for a person with one name, which is the last name.',
	});

export const familyName = line(1, nameLengthMax).describe('Family name, or the only name of a person.');

const webAddressLengthMax = 500;

/** A web address without credentials, with which `https://bank.example@other.example` leads elsewhere than it seems to. */
export const webAddress = z
	.url({ protocol: /^https?$/, error: 'must be an address of the web such as https://example.org' })
	.regex(/^[!-~]+$/, 'must be plain ASCII without spaces; a name such as münchen.at in its xn-- form')
	.refine((value) => !hasUserInfo(value), 'must not contain a user name or password')
	.max(webAddressLengthMax, `must have at most ${webAddressLengthMax} characters`)
	.meta({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://[!-~]+$', description: 'Web address, http or https.' });

// Also empty ones, which the parser drops. Parsers treat `\` as `/` here, and don't need the slashes.
const userInfo = /^https?:[/\\]*[^/\\?#]*@/i;

function hasUserInfo(text: string): boolean {
	return userInfo.test(text);
}

/** A day in the plausible range: a year such as 0026 or 20026 is a typing error. */
export const day = isoDate.refine((value) => value >= dayMin && value <= dayMax, {
	message: `must be from ${dayMin} to ${dayMax}`,
	params: { code: 'INVALID_RANGE' },
});

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

/** A line of text or null. The OpenAPI generator omits `nullable` if a type is set, as in `line`. */
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

/** When statistics were counted, see `statistics` in libs/database. */
export const countedAt = instant.describe(
	'When the numbers were counted: on this call, or, in a large registry, at most a minute before the call before this one.',
);

export const count = z.int().min(0).describe('Number of records.');

/** Counts per value, `[{ status, count }]`: generated clients can't name properties such as REGISTRATION_OPEN. `id`: of an entry. */
export function countsBy<const Key extends string, Value extends z.ZodType>(
	id: string,
	key: Key,
	value: Value,
) {
	const shape = { [key]: value, count };
	const entry = z.strictObject(shape as Record<Key, Value> & { count: typeof count });
	return z.array(entry.meta({ id, description: `Number of records per ${key}.` }));
}

export function countList<const Key extends string, Value>(
	key: Key,
	values: readonly Value[],
	countOf: (value: Value) => number,
) {
	return values.map(
		(value) => ({ [key]: value, count: countOf(value) }) as Record<Key, Value> & { count: number },
	);
}

const idsMax = 50;
/** Length of the UUIDs with their commas. */
const idsCharsMax = idsMax * 37;

/** `?ids=<uuid>,<uuid>…` of a route by which other contexts look up records, see `createLookUp` of libs/peers. */
export const lookupQuery = z.strictObject({
	ids: z
		.string()
		.max(idsCharsMax, `must name at most ${idsMax}`)
		.transform((text) => [...new Set(text.split(','))])
		.pipe(z.array(id).min(1).max(idsMax, `must name at most ${idsMax}`))
		.meta({ type: 'string', description: 'UUIDs, separated by commas.' }),
});
