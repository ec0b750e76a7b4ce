import { describe, expect, test } from '@jest/globals';
import { dayAfter, dayIn, daysOf, startOfDay } from './event-days.ts';

describe('the beginning of a day', () => {
	test.each([
		['Europe/Vienna', '2026-07-01', '2026-06-30T22:00:00.000Z'],
		['Europe/Vienna', '2026-12-01', '2026-11-30T23:00:00.000Z'],
		// Clocks go forward and back in these nights, some hours after midnight.
		['Europe/Vienna', '2026-03-29', '2026-03-28T23:00:00.000Z'],
		['Europe/Vienna', '2026-03-30', '2026-03-29T22:00:00.000Z'],
		['Europe/Vienna', '2026-10-25', '2026-10-24T22:00:00.000Z'],
		['Europe/Vienna', '2026-10-26', '2026-10-25T23:00:00.000Z'],
		['UTC', '2026-07-01', '2026-07-01T00:00:00.000Z'],
		['Pacific/Kiritimati', '2026-07-01', '2026-06-30T10:00:00.000Z'],
		['Pacific/Pago_Pago', '2026-07-01', '2026-07-01T11:00:00.000Z'],
		['Asia/Kathmandu', '2026-07-01', '2026-06-30T18:15:00.000Z'],
		// There was no midnight on that day: clocks went from 23:59:59 to 1:00.
		['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
	])('in %s on %s is %s', (timeZone, day, expected) => {
		const start = startOfDay(timeZone, day);
		expect(start.toISOString()).toBe(expected);
		expect(dayIn(timeZone, start)).toBe(day);
		expect(dayIn(timeZone, new Date(start.getTime() - 1))).toBe(dayAfter(day, -1));
	});
});

test('days are counted with the first and the last, over the ends of months and years', () => {
	expect([daysOf('2026-10-23', '2026-10-23'), daysOf('2026-12-31', '2027-01-02')]).toEqual([1, 3]);
	expect(daysOf('2026-10-23', '2026-10-22')).toBeLessThan(1);
	expect([dayAfter('2028-02-28'), dayAfter('2026-12-31'), dayAfter('2026-01-05', 30)]).toEqual([
		'2028-02-29',
		'2027-01-01',
		'2026-02-04',
	]);
});
