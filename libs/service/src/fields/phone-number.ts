import { parsePhoneNumberFromString } from 'libphonenumber-js/max';
import { z } from 'zod';

const charsMax = 40;
const mustBe = 'must be a phone number such as 0660 1234567 or +43 660 1234567';

// National numbers begin with 0: a number without its area code would otherwise be read as a different number. Letters
// are refused because E.164 has no extensions.
const written = /^\s*\(?\s*[+\uff0b0][\p{Nd}\s()./\u2010-\u2015\u2212_-]+$/u;

// Phone books put a number that is copied between directional characters.
const invisible = /\p{Cf}/gu;

/** A number in E.164, whatever the numbering plan: a record with a number of a former plan must still be saved. */
const e164 = /^\+[1-9]\d{6,14}$/;

/** A phone number in common notation, by default Austrian: `0660 1234567`, `+43 (0)660/1234567`. The output is in E.164. */
export const phoneNumber = z
	.string('must be text')
	.max(charsMax, mustBe)
	.transform((typed, context) => {
		const value = typed.replace(invisible, '').trim();
		if (e164.test(value)) return value;
		const number = written.test(value)
			? parsePhoneNumberFromString(value.replace(/[\s_]/g, ' '), { defaultCountry: 'AT', extract: false })
			: undefined;
		if (number?.isValid() === true) return number.number as string;
		context.addIssue({ code: 'custom', message: mustBe });
		return z.NEVER;
	})
	.meta({
		type: 'string',
		maxLength: charsMax,
		description: 'Phone number as people write it; without a country code it is Austrian. Stored in E.164.',
	});
