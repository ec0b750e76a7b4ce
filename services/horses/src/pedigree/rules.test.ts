import { describe, expect, test } from '@jest/globals';
import { type Birth, birthErrors, birthOf, firstDayOf, isOldEnoughForParent } from './rules.ts';

const year = (birthYear: number): Birth => ({ dateOfBirth: null, birthYear });
const on = (dateOfBirth: string): Birth => birthOf({ dateOfBirth, birthYear: null });

test('the year of a birth follows from its day', () => {
	expect(on('2016-02-29')).toEqual({ dateOfBirth: '2016-02-29', birthYear: 2016 });
	expect(birthOf({ dateOfBirth: null, birthYear: 2016 })).toEqual(year(2016));
	expect(() => birthOf({ dateOfBirth: null, birthYear: null })).toThrow(TypeError);
});

test('a horse with a known year only has its birthday on 1 January', () => {
	expect([firstDayOf(on('2016-05-03')), firstDayOf(year(2016))]).toEqual(['2016-05-03', '2016-01-01']);
});

describe('a birth that is reported on 1 May 2026', () => {
	test.each([
		[on('2026-05-01'), []],
		[on('2026-05-02'), ['dateOfBirth']],
		[year(2026), []],
		[year(2027), ['birthYear']],
		[year(1981), []],
		[on('1981-01-01'), []],
		[year(1980), ['birthYear']],
		[on('1980-12-31'), ['dateOfBirth']],
	])('of %j is wrong in %j', (birth, fields) => {
		expect(birthErrors(birth, '2026-05-01').map(({ field }) => field)).toEqual(fields);
	});
});

describe('a birth of a horse that died on 1 May 2001', () => {
	test.each([
		[year(1975), []],
		[on('1956-01-01'), []],
		[year(1955), ['birthYear']],
		[on('1955-12-31'), ['dateOfBirth']],
	])('of %j is wrong in %j', (birth, fields) => {
		expect(birthErrors(birth, '2026-05-01', '2001-05-01').map(({ field }) => field)).toEqual(fields);
	});
});

describe('a parent', () => {
	test.each([
		[year(2014), year(2016), true],
		[year(2015), year(2016), false],
		[year(2016), year(2016), false],
		[year(2018), year(2016), false],
		[on('2014-12-31'), year(2016), true],
		[on('2014-06-01'), on('2016-06-01'), true],
		[on('2014-06-01'), on('2016-05-31'), false],
		[on('2014-06-01'), on('2017-01-01'), true],
		[on('2012-02-29'), on('2014-02-28'), false],
		[on('2012-02-29'), on('2014-03-01'), true],
	])('of %j has a foal of %j: %j', (parent, child, expected) => {
		expect(isOldEnoughForParent(parent, child)).toBe(expected);
	});
});
