import { expect, test } from '@jest/globals';
import { cleanNumber } from './fold-text.ts';

test.each([
	['040 DEM 000000001', '040DEM000000001'],
	['040.dem-0000:00001', '040DEM000000001'],
	['\t040\u00a0DEM\u202f000\u2009000\u3000001 ', '040DEM000000001'],
	['1999/0007', '19990007'],
	['1999\\0007', '19990007'],
	['1999\u20130007', '19990007'],
	['1999\u22120007', '19990007'],
	['1999_0007', '19990007'],
	["'0012", '0012'],
	['0\u00ad01\u200b2\u202c', '0012'],
	['\ufeff0012', '0012'],
	['104ab12', '104AB12'],
	['ö12a', 'Ö12A'],
	['o\u030812a', 'Ö12A'],
	['１２３４', '1234'],
	// Capital ß is SS, which would be one more character.
	['00ß', '00ß'],
	['٠٤٠', '٠٤٠'],
	['---', ''],
])('%j is compared as %s', (typed, cleaned) => {
	expect(cleanNumber(typed)).toBe(cleaned);
	expect(cleanNumber(cleaned)).toBe(cleaned);
});
