import { describe, expect, test } from '@jest/globals';
import { dayAfter } from './day.ts';
import { dayIn, sameTimeAfter, startOfDay, timeIn } from './zoned-time.ts';

describe('the start of a day', () => {
	test.each([
		['Europe/Vienna', '2026-07-01', '2026-06-30T22:00:00.000Z'],
		['Europe/Vienna', '2026-12-01', '2026-11-30T23:00:00.000Z'],
		// Clocks go forward and back in these nights, some hours after midnight.
		['Europe/Vienna', '2026-03-29', '2026-03-28T23:00:00.000Z'],
		['Europe/Vienna', '2026-03-30', '2026-03-29T22:00:00.000Z'],
		['Europe/Vienna', '2026-10-25', '2026-10-24T22:00:00.000Z'],
		['Europe/Vienna', '2026-10-26', '2026-10-25T23:00:00.000Z'],
		['Europe/Vienna', '1900-01-01', '1899-12-31T23:00:00.000Z'],
		['Europe/Vienna', '2199-12-31', '2199-12-30T23:00:00.000Z'],
		['UTC', '2026-07-01', '2026-07-01T00:00:00.000Z'],
		['Pacific/Kiritimati', '2026-07-01', '2026-06-30T10:00:00.000Z'],
		['Pacific/Pago_Pago', '2026-07-01', '2026-07-01T11:00:00.000Z'],
		['Asia/Kathmandu', '2026-07-01', '2026-06-30T18:15:00.000Z'],
		// No midnight: clocks went from 23:59:59 to 1:00.
		['America/Sao_Paulo', '2018-11-04', '2018-11-04T03:00:00.000Z'],
		['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00.000Z'],
		['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00.000Z'],
		// No midnight: clocks went from 23:30 to 0:30.
		['America/Toronto', '1919-03-31', '1919-03-31T04:30:00.000Z'],
		// The zone crossed the date line and skipped 30 December.
		['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00.000Z'],
	])('in %s on %s is %s', (timeZone, day, expected) => {
		const start = startOfDay(timeZone, day);
		expect(start.toISOString()).toBe(expected);
		expect(dayIn(timeZone, start)).toBe(day);
		expect(dayIn(timeZone, new Date(start.getTime() - 1)) < day).toBe(true);
	});

	test.each([
		['America/Havana', '2026-11-01', '2026-11-01T04:00:00.000Z'],
		['Atlantic/Azores', '2026-10-25', '2026-10-25T00:00:00.000Z'],
		// Clocks went back from 0:01 to 23:01 of the day before.
		['America/St_Johns', '2010-11-07', '2010-11-07T02:30:00.000Z'],
	])('in %s on %s, which has two midnights, is the first: %s', (timeZone, day, expected) => {
		expect(startOfDay(timeZone, day).toISOString()).toBe(expected);
	});

	test('is the start of the next day if the zone skipped the day', () => {
		expect(startOfDay('Pacific/Apia', '2011-12-30')).toEqual(startOfDay('Pacific/Apia', '2011-12-31'));
	});

	test.each(['Europe/Vienna', 'America/Sao_Paulo', 'Africa/Cairo', 'Australia/Lord_Howe', 'Asia/Tehran'])(
		'is the first second of the day in %s, on each day of sixty years',
		(timeZone) => {
			const wrong: string[] = [];
			for (let day = '1980-01-01'; day < '2040-01-01'; day = dayAfter(day)) {
				const startMs = startOfDay(timeZone, day).getTime();
				const shown = [startMs - 1_000, startMs].map((ms) => dayIn(timeZone, new Date(ms)));
				if (shown[0] !== dayAfter(day, -1) || shown[1] !== day) wrong.push(day);
			}
			expect(wrong).toEqual([]);
		},
	);
});

test.each([
	['Europe/Vienna', '2026-05-01T21:59:59Z', '1 May 2026 at 23:59'],
	['Europe/Vienna', '2026-12-31T23:00:00Z', '1 January 2027 at 00:00'],
	['America/New_York', '2026-10-12T21:59:00Z', '12 October 2026 at 17:59'],
])('in %s the time %s is %s', (timeZone, instant, text) => {
	expect(timeIn(timeZone, new Date(instant))).toBe(text);
});

test.each([
	['into winter', 'Europe/Vienna', '2026-06-01T21:59:00Z', 150, '2026-10-29T22:59:00.000Z'],
	['into summer', 'Europe/Vienna', '2026-12-01T22:59:00Z', 126, '2027-04-06T21:59:00.000Z'],
	['back', 'Europe/Vienna', '2026-10-29T22:59:00Z', -150, '2026-06-01T21:59:00.000Z'],
	['not at all', 'Europe/Vienna', '2026-06-01T21:59:30.123Z', 0, '2026-06-01T21:59:30.123Z'],
	['to a time that clocks skip', 'Europe/Vienna', '2026-03-28T01:30:00Z', 1, '2026-03-29T01:00:00.000Z'],
	['to a time that clocks repeat', 'Europe/Vienna', '2026-10-24T00:30:00Z', 1, '2026-10-25T00:30:00.000Z'],
	['across the date line', 'Pacific/Apia', '2011-12-29T20:00:00Z', 2, '2011-12-30T20:00:00.000Z'],
	['elsewhere', 'America/New_York', '2026-10-31T03:59:00Z', 7, '2026-11-07T04:59:00.000Z'],
])('the same local time some days later, %s', (_case, timeZone, instant, days, expected) => {
	expect(sameTimeAfter(timeZone, new Date(instant), days).toISOString()).toBe(expected);
});
