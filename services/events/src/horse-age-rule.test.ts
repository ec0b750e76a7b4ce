import { expect, test } from '@jest/globals';
import { horseMinAgeAllowed, horseMinAgeOf } from './horse-age-rule.ts';

test.each([
	['E', 4],
	['A', 4],
	['A**', 4],
	['L', 5],
	['LP', 5],
	['L 115', 5],
	['A2', 4],
	['L7', 5],
	['LP2', 5],
	['LM', 6],
	['LM3', 6],
	['M', 6],
	['S*', 6],
	['GP', 6],
])('a horse in class %s is %i or older', (competitionClass, years) => {
	expect(horseMinAgeOf(competitionClass)).toBe(years);
	expect(horseMinAgeAllowed('OETO', competitionClass)).toBe(years);
	expect(horseMinAgeAllowed('FEI', competitionClass)).toBe(0);
});
