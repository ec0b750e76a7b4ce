import { describe, expect, test } from '@jest/globals';
import { ageInYear } from '@paddock/calendar';
import { ageClasses } from '../seed.ts';
import { type AgeClassBody, isApplicable } from './schemas.ts';

function codes(birthDate: string, date: string, group: Partial<AgeClassBody>): string[] {
	const age = ageInYear(birthDate, date);
	return ageClasses
		.filter(({ ruleset, category }) => ruleset === group.ruleset && category === (group.category ?? 'RIDER'))
		.filter((ageClass) => isApplicable(ageClass, age, date))
		.map(({ code }) => code);
}

describe('the classes of OeTO 2026 §12(2)', () => {
	test.each([
		['2019-01-01', []],
		['2018-12-31', ['YOUTH']],
		['2012-06-01', ['YOUTH', 'CHILDREN_DRESSAGE']],
		['2011-06-01', ['YOUTH']],
		['2010-12-31', ['JUNIOR', 'YOUNG_RIDER', 'U25']],
		['2008-01-01', ['JUNIOR', 'YOUNG_RIDER', 'U25']],
		['2007-12-31', ['YOUNG_RIDER', 'U25', 'GENERAL']],
		['2005-01-01', ['YOUNG_RIDER', 'U25', 'GENERAL']],
		['2004-12-31', ['U25', 'GENERAL']],
		['2001-01-01', ['U25', 'GENERAL']],
		['2000-12-31', ['GENERAL']],
		['1986-12-31', ['GENERAL', 'SENIOR']],
	])('a rider born %s starts in 2026 in %j', (birthDate, expected) => {
		expect(codes(birthDate, '2026-01-01', { ruleset: 'OETO' })).toEqual(expected);
	});

	test.each([
		['2019-01-01', []],
		['2018-01-01', ['YOUTH']],
		['2010-01-01', ['YOUTH']],
		['2009-12-31', ['GENERAL']],
	])('a pony rider born %s starts in 2026 in %j', (birthDate, expected) => {
		expect(codes(birthDate, '2026-12-31', { ruleset: 'OETO', category: 'PONY' })).toEqual(expected);
	});
});

describe('the classes of the FEI General Regulations, Appendix A', () => {
	test.each([
		['2015-01-01', [], []],
		['2014-12-31', ['CHILDREN'], ['PONY']],
		['2012-06-01', ['CHILDREN', 'JUNIOR'], ['PONY']],
		['2010-12-31', ['JUNIOR', 'YOUNG_RIDER', 'U25'], ['PONY']],
		['2009-12-31', ['JUNIOR', 'YOUNG_RIDER', 'U25'], []],
		['2008-01-01', ['JUNIOR', 'YOUNG_RIDER', 'U25', 'SENIOR'], []],
		['2001-01-01', ['U25', 'SENIOR'], []],
		['2000-12-31', ['SENIOR'], []],
	])('a rider born %s starts in 2026 in %j, on ponies in %j', (birthDate, riders, pony) => {
		expect(codes(birthDate, '2026-06-01', { ruleset: 'FEI' })).toEqual(riders);
		expect(codes(birthDate, '2026-06-01', { ruleset: 'FEI', category: 'PONY' })).toEqual(pony);
	});
});

test('a class applies from its first to its last day', () => {
	const season = { minAge: null, maxAge: null, validFrom: '2026-03-01', validTo: '2026-10-31' };
	const days = ['2026-02-28', '2026-03-01', '2026-10-31', '2026-11-01'];
	expect(days.map((date) => isApplicable(season, 30, date))).toEqual([false, true, true, false]);
});
