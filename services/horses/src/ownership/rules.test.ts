import { describe, expect, test } from '@jest/globals';
import { transferDayErrors, transferProblem } from './rules.ts';

describe('a transfer', () => {
	test.each([
		['2020-01-01', null, 'OWNERSHIP_NOT_AFTER_PREVIOUS'],
		['2020-01-02', null, undefined],
		['2019-12-31', null, 'OWNERSHIP_NOT_AFTER_PREVIOUS'],
		['2021-05-01', '2021-05-01', undefined],
		['2021-05-02', '2021-05-01', 'OWNERSHIP_AFTER_DEATH'],
	])('on %s to follow 2020-01-01, dead %s: %s', (from, dateOfDeath, code) => {
		expect(transferProblem(from, { previousFrom: '2020-01-01', dateOfDeath })?.code).toBe(code);
	});

	test('is reported on its day at the earliest', () => {
		expect(transferDayErrors('2026-05-01', '2026-05-01')).toEqual([]);
		expect(transferDayErrors('2026-05-02', '2026-05-01')).toMatchObject([
			{ field: 'from', code: 'INVALID_RANGE' },
		]);
	});
});
