import { z } from 'zod';

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
