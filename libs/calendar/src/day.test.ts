import { describe, expect, test } from '@jest/globals';
import { ageInYear, ageOnDate, dayAfter, dayCount, latestBirthDate, yearOf } from './day.ts';

test('day counts include both ends, across months and years', () => {
	expect([dayCount('2026-10-23', '2026-10-23'), dayCount('2026-12-31', '2027-01-02')]).toEqual([1, 3]);
	expect(dayCount('2026-10-23', '2026-10-22')).toBeLessThan(1);
	expect([dayAfter('2028-02-28'), dayAfter('2026-12-31'), dayAfter('2026-01-05', 30)]).toEqual([
		'2028-02-29',
		'2027-01-01',
		'2026-02-04',
	]);
	expect(dayAfter('2026-01-01', -1)).toBe('2025-12-31');
	expect(yearOf('1999-12-31')).toBe(1999);
});

describe('the age', () => {
	test.each([
		// born, on, in the year, on the day
		['2010-12-31', '2026-01-01', 16, 15],
		['2012-06-01', '2026-05-31', 14, 13],
		['2012-06-01', '2026-06-01', 14, 14],
		['2008-02-29', '2026-02-28', 18, 17],
		['2008-02-29', '2026-03-01', 18, 18],
		['2008-02-29', '2028-02-28', 20, 19],
		['2008-02-29', '2028-02-29', 20, 20],
		['2026-01-01', '2026-01-01', 0, 0],
		['2025-12-31', '2026-01-01', 1, 0],
	])('born %s, on %s: %i by year, %i completed', (birthDate, date, inYear, onDate) => {
		expect(ageInYear(birthDate, date)).toBe(inYear);
		expect(ageOnDate(birthDate, date)).toBe(onDate);
	});
});

test.each(['2026-02-28', '2026-03-01', '2028-02-28', '2028-02-29', '2028-03-01', '2026-12-31', '2100-02-28'])(
	'on %s the latest birth date is that of the youngest adult',
	(today) => {
		const latest = latestBirthDate(18, today);
		expect(new Date(latest).toISOString()).toContain(latest);
		expect(ageOnDate(latest, today)).toBe(18);
		expect(ageOnDate(dayAfter(latest), today)).toBe(17);
	},
);

test('the age by year accepts a year of birth', () => {
	expect(ageInYear(2022, '2026-03-01')).toBe(4);
});
