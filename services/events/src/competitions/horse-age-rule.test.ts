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
	['V80', 4],
	['V100', 4],
	['V 105', 5],
	['V110', 6],
])('a horse at level %s is %i or older', (level, years) => {
	const competition = { level, ponyOnly: false };
	expect(horseMinAgeOf(competition)).toBe(years);
	expect(horseMinAgeAllowed('OETO', competition)).toBe(years);
	expect(horseMinAgeAllowed('FEI', competition)).toBe(0);
});

test.each([
	['V85', 4],
	['V90', 5],
	['V95', 6],
	['L', 5],
])('a pony at level %s is %i or older', (level, years) => {
	expect(horseMinAgeOf({ level, ponyOnly: true })).toBe(years);
});
