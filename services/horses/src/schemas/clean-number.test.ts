import { expect, test } from '@jest/globals';
import { cleanNumber, countryOfUeln, uelnFormat, writtenUelnFormat } from './clean-number.ts';

test.each([
	['040 DEM 000000001', '040DEM000000001', true],
	['040.dem-0000:00001', '040DEM000000001', true],
	['276418180000001', '276418180000001', true],
	['\t040\u00a0DEM000000001 ', '040DEM000000001', true],
	['040DEM00000001', '040DEM00000001', false],
	['AUT0DEM00000001', 'AUT0DEM00000001', false],
	['040DEM00000000Ö', '040DEM00000000Ö', false],
	// Capital ß is SS, and would make fifteen of these fourteen.
	['040DEM00000000ß', '040DEM00000000SS', false],
	['040DEM/00000001', '040DEM/00000001', false],
	['٠٤٠DEM000000001', '٠٤٠DEM000000001', false],
])('%j is read as %s, which is a UELN: %j', (typed, cleaned, isUeln) => {
	expect(cleanNumber(typed)).toBe(cleaned);
	expect(uelnFormat.test(cleanNumber(typed))).toBe(isUeln);
	expect(writtenUelnFormat.test(typed)).toBe(isUeln);
});

test('a UELN begins with the numeric code of a country', () => {
	expect(countryOfUeln('040DEM000000001')).toBe('040');
});
