import { expect, test } from '@jest/globals';
import { identifier } from './identifier.ts';

const { written, nullableWritten, stored } = identifier(
	[
		['[0-9]', 3],
		['[A-Z]', 2],
		['[0-9A-ZÖ]', 2],
	],
	{ message: 'must be such as 104AB12', description: 'Number.' },
);
const documented = new RegExp(String(written.meta()?.['pattern']));

test.each(['104AB12', '104ab12', '104 AB 12', ' 104.ab-12\u00a0', "104/AB/1'2", '104_ab:1ö', '\t104AB12'])(
	'%j is accepted, and documented',
	(text) => {
		const cleaned = text.replace(/[^\p{L}\d]/gu, '').toUpperCase();
		expect(written.parse(text)).toBe(cleaned);
		expect(nullableWritten.parse(text)).toBe(cleaned);
		expect(stored.parse(cleaned)).toBe(cleaned);
		expect(documented.test(text)).toBe(true);
	},
);

test('characters that word processors and phone books add are dropped', () => {
	for (const text of ['104\u2011AB\u201312', '\u202d104AB12\u202c', '104AB\u00ad12', '１０４ＡＢ１２'])
		expect(written.parse(text)).toBe('104AB12');
});

test.each([
	'',
	'-',
	'104AB1',
	'104AB123',
	'1O4AB12',
	'104ßB12',
	'104AB1ß',
	'٠٤٠AB12',
	'104AB12\0',
	'104+AB12',
])('%j is refused, and documented so', (text) => {
	expect(written.safeParse(text).error?.issues).toMatchObject([{ message: 'must be such as 104AB12' }]);
	expect(documented.test(text)).toBe(false);
});

test('a body may leave it null where it may be unknown', () => {
	expect(nullableWritten.parse(null)).toBe(null);
	expect(written.safeParse(null).success).toBe(false);
});
