import { describe, expect, test } from '@jest/globals';
import { memberSearchText, nameKey, sortName } from './names.ts';

const key = (firstName: string, lastName: string) => nameKey({ firstName, lastName });

describe('the key of a name', () => {
	test.each([
		['Jörg', 'Müller', 'Joerg', 'Mueller'],
		['Jörg', 'Müller', 'Jorg', 'Muller'],
		['Joerg', 'Muller', 'Jo\u0308rg', 'MÜLLER'],
		['Anna-Maria', "O'Neill", 'Anna Maria', 'ONeill'],
		['José', 'Groß', 'Jose', 'Gross'],
		['Иван', 'Петров', 'ИВАН', 'петров'],
	])('of %s %s and %s %s is the same', (first, last, otherFirst, otherLast) => {
		expect(key(first, last)).toBe(key(otherFirst, otherLast));
	});

	test.each([
		['Anna', 'Huber', 'Anne', 'Huber'],
		['Anna', 'Maria', 'Maria', 'Anna'],
		['An', 'Na', 'A', 'Nna'],
		['Иван', 'Петров', 'Олег', 'Петров'],
	])('of %s %s and %s %s is not', (first, last, otherFirst, otherLast) => {
		expect(key(first, last)).not.toBe(key(otherFirst, otherLast));
	});
});

test('names are ordered as in a directory', () => {
	const people = [
		['Ob', 'A'],
		['Öd', 'A'],
		['Oe', 'A'],
		['Au der', 'A'],
		['Au', 'Zoë'],
		['Au', 'Ägid'],
	] as const;
	const sorted = people
		.map(([lastName, firstName]) => ({ lastName, firstName, by: sortName({ lastName, firstName }) }))
		.sort((a, b) => (a.by < b.by ? -1 : 1));
	expect(sorted.map(({ lastName, firstName }) => `${lastName}, ${firstName}`)).toEqual([
		'Au, Ägid',
		'Au, Zoë',
		'Au der, A',
		'Ob, A',
		'Öd, A',
		'Oe, A',
	]);
});

test('both orders of the name, the address in both forms and the numbers are searched', () => {
	const text = memberSearchText({
		firstName: 'Jörg',
		lastName: "Van d'Arc",
		email: 'j@xn--mller-kva.example',
		membershipNumber: '12340001',
		federationNumber: null,
		feiId: '10000001',
	});
	const whole = text.split('\n').filter((line) => /^\w/.test(line));
	expect(whole).toEqual([
		'van d arc joerg',
		'van d arc jorg',
		'joerg van d arc',
		'jorg van d arc',
		'j xn mller kva example',
		'j mueller example',
		'j muller example',
		'12340001',
		'10000001',
	]);
	for (const word of ['van', 'd', 'arc', 'darc', 'vandarc', 'joerg', 'jorg', '12340001'])
		expect(text).toContain(`\n ${word}\n`);
});
