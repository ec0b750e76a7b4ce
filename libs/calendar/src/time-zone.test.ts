import { expect, test } from '@jest/globals';
import { isTimeZone, offsetMsAt } from './time-zone.ts';

test.each([
	'Europe/Vienna',
	'Europe/Kyiv',
	'Europe/Kiev',
	'America/Argentina/Buenos_Aires',
	'Asia/Ust-Nera',
	'UTC',
])('%s is a time zone', (name) => {
	expect(isTimeZone(name)).toBe(true);
});

test.each([
	'',
	'Vienna',
	'europe/vienna',
	'EUROPE/VIENNA',
	'Europe/Wien',
	'+01:00',
	'CET',
	'EST5EDT',
	'Europe/Vienna ',
	'../etc',
	'A/',
	`A/${'b'.repeat(100_000)}`,
])('%j is not a time zone', (name) => {
	expect(isTimeZone(name)).toBe(false);
});

test.each([
	['Europe/Vienna', '2026-07-01T00:00:00Z', 7_200],
	['Europe/Vienna', '2026-01-01T00:00:00Z', 3_600],
	['Europe/Vienna', '2026-03-29T00:59:59.999Z', 3_600],
	['Europe/Vienna', '2026-03-29T01:00:00Z', 7_200],
	['Europe/Vienna', '2026-10-25T00:59:59.999Z', 7_200],
	['Europe/Vienna', '2026-10-25T01:00:00Z', 3_600],
	['europe/vienna', '2026-07-01T00:00:00Z', 7_200],
	['America/St_Johns', '2026-01-01T00:00:00Z', -12_600],
	// Local mean time, before zones were introduced.
	['Europe/Vienna', '0001-01-01T00:00:00Z', 3_921],
	['Europe/Vienna', '1850-01-01T00:00:00Z', 3_921],
])('the offset of %s at %s is %d s', (timeZone, instant, seconds) => {
	expect(offsetMsAt(timeZone, Date.parse(instant))).toBe(seconds * 1_000);
});

test('an unknown zone is refused', () => {
	expect(() => offsetMsAt('Europe/Wien', 0)).toThrow(RangeError);
});
