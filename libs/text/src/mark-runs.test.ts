import { expect, test } from '@jest/globals';
import { hasLongMarkRun, marksMax, shortenMarkRuns } from './hidden-characters.ts';

const acute = '\u0301';
const below = '\u0323';

test.each<[string, string, boolean]>([
	['no mark', 'Jürgen', false],
	['as many marks as are allowed', `a${acute.repeat(marksMax)}b`, false],
	['one mark more', `a${acute.repeat(marksMax + 1)}`, true],
	['marks of two classes', `a${acute.repeat(16)}${below.repeat(15)}`, true],
	['alternating marks', `a${`${acute}${below}`.repeat(16)}`, true],
	['marks without a letter', acute.repeat(31), true],
	['many allowed runs', `${`a${acute.repeat(30)}`.repeat(1_000)}`, false],
	['a long run after allowed ones', `${`a${acute.repeat(30)}`.repeat(1_000)}${below}`, true],
	['letters that become marks', `a${`${acute}\uff9e`.repeat(16)}`, true],
])('%s: %#', (_name, text, expected) => {
	expect(hasLongMarkRun(text)).toBe(expected);
	expect(hasLongMarkRun(shortenMarkRuns(text))).toBe(false);
	if (!expected) expect(shortenMarkRuns(text)).toBe(text);
});

test('only marks above the limit are removed', () => {
	expect(shortenMarkRuns(`a${acute.repeat(40)}b${below.repeat(30)}c`)).toBe(
		`a${acute.repeat(30)}b${below.repeat(30)}c`,
	);
});

// Normalising any of these takes seconds.
test.each([
	`a${acute.repeat(25_000)}${below.repeat(25_000)}`,
	`a${`${acute}${below}`.repeat(25_000)}`,
	`${acute.repeat(30)}a`.repeat(3_300),
])('a text of 100 KB is checked at once', (text) => {
	const cpu = process.cpuUsage();
	shortenMarkRuns(text).normalize('NFKD');
	hasLongMarkRun(text);
	expect(process.cpuUsage(cpu).user).toBeLessThan(200_000);
});
