import { expect, test } from '@jest/globals';
import { hasTwoDecimals, sharesProblem } from './owner-schemas.ts';

test.each([
	[[null], undefined],
	[[null, null], undefined],
	[[100], undefined],
	[[60, 40], undefined],
	[[33.33, 33.33, 33.34], undefined],
	// 0.1 + 0.2 + 99.7 is 100.00000000000001 in binary fractions.
	[[0.1, 0.2, 99.7], undefined],
	[[60, 39.99], 'NOT_WHOLE'],
	[[60, 40.01], 'NOT_WHOLE'],
	[[99.99], 'NOT_WHOLE'],
	[[60, null], 'INCOMPLETE'],
	[[100, null], 'INCOMPLETE'],
])('shares of %j: %s', (shares, problem) => {
	expect(sharesProblem(shares)).toBe(problem);
});

test.each([
	[0.01, true],
	[33.33, true],
	[1.1, true],
	[57.29, true],
	[33.333, false],
	[0.001, false],
])('%d has two decimals at most: %j', (share, expected) => {
	expect(hasTwoDecimals(share)).toBe(expected);
});
