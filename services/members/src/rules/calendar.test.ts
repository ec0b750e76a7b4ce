import { expect, test } from '@jest/globals';
import { ageOnDate, dayInVienna, latestBirthDate } from './calendar.ts';

test.each([
	['2026-01-01T22:59:59Z', '2026-01-01'],
	['2026-01-01T23:00:00Z', '2026-01-02'],
	['2026-07-01T21:59:59Z', '2026-07-01'],
	['2026-07-01T22:00:00Z', '2026-07-02'],
])('at %s it is %s in Vienna', (instant, day) => {
	expect(dayInVienna(new Date(instant))).toBe(day);
});

test.each([
	['2008-02-29', '2026-02-28', 17],
	['2008-02-29', '2026-03-01', 18],
	['2008-02-29', '2028-02-29', 20],
	['2010-12-31', '2026-01-01', 15],
	['2010-12-31', '2026-12-31', 16],
])('who was born on %s is on %s %d years old', (born, on, age) => {
	expect(ageOnDate(born, on)).toBe(age);
});

test.each(['2026-02-28', '2026-03-01', '2028-02-28', '2028-02-29', '2028-03-01', '2026-12-31', '2100-02-28'])(
	'on %s those born up to the latest birth date are of age, and nobody later',
	(today) => {
		const latest = latestBirthDate(18, today);
		expect(new Date(latest).toISOString()).toContain(latest);
		expect(ageOnDate(latest, today)).toBe(18);
		const dayAfter = new Date(new Date(latest).getTime() + 86_400_000).toISOString().slice(0, 10);
		expect(ageOnDate(dayAfter, today)).toBe(17);
	},
);
