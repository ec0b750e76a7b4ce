import { expect, test } from '@jest/globals';
import { isTimeZone } from './time-zone.ts';

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
])('%j is none', (name) => {
	expect(isTimeZone(name)).toBe(false);
});
