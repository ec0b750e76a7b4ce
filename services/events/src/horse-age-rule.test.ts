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
])('a horse at level %s is %i or older', (level, years) => {
	expect(horseMinAgeOf(level)).toBe(years);
	expect(horseMinAgeAllowed('OETO', level)).toBe(years);
	expect(horseMinAgeAllowed('FEI', level)).toBe(0);
});
