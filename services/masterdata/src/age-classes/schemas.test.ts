import { describe, expect, test } from '@jest/globals';
import { ageInYear } from '@paddock/calendar';
import { ageClasses, disciplineAgeClasses } from '../seed.ts';
import { type AgeClassBody, inDiscipline, isApplicable } from './schemas.ts';

function codes(birthDate: string, date: string, group: Partial<AgeClassBody>): string[] {
	const age = ageInYear(birthDate, date);
	const all = [...ageClasses, ...disciplineAgeClasses];
	return inDiscipline(all, group.discipline ?? undefined)
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

describe('the classes that disciplines define anew (OeTO 2026 §12(2))', () => {
	const in2026 = (age: number, discipline: string) =>
		codes(`${2026 - age}-06-01`, '2026-06-01', { ruleset: 'OETO', discipline });
	test.each([
		['DRIVING', 'JUNIOR', [13, 14, 18, 19], [false, true, true, false]],
		['VAULTING', 'JUNIOR', [0, 5, 18, 19], [true, true, true, false]],
		['WORKING_EQUITATION', 'JUNIOR', [9, 10, 18, 19], [false, true, true, false]],
		['ICELANDIC', 'YOUTH', [7, 8, 17, 18], [false, true, true, false]],
		['JUMPING', 'JUNIOR', [15, 16, 18, 19], [false, true, true, false]],
		['JUMPING', 'YOUTH', [7, 8, 15, 16], [false, true, true, false]],
		['DRESSAGE', 'CHILDREN_DRESSAGE', [11, 12, 14, 15], [false, true, true, false]],
		['JUMPING', 'CHILDREN_DRESSAGE', [12, 14], [false, false]],
	])('%s: %s', (discipline, code, ages, expected) => {
		expect(ages.map((age) => in2026(age, discipline).includes(code))).toEqual(expected);
	});

	test('name each class once', () => {
		expect(in2026(17, 'DRIVING')).toEqual(['YOUNG_RIDER', 'U25', 'JUNIOR']);
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
