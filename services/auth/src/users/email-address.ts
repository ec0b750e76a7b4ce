import { z } from 'zod';

export const emailLengthMax = 254;

/**
 * An e-mail address: trimmed, at most 254 characters (RFC 5321 §4.5.3.1.3), stored in lower case. Its characters are
 * ASCII (other domains in their xn-- form). That is checked before lower-casing, which turns the Kelvin sign into a
 * plain k: else two addresses could become one account.
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
	.meta({ type: 'string', format: 'email', maxLength: emailLengthMax });
