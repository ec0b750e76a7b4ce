import { describe, expect, test } from '@jest/globals';
import { memberSearchText, nameKey, sortName } from './member-names.ts';

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

test('each word of a name follows a line break, with the remainder of the name', () => {
	const numbers = { email: null, membershipNumber: '12340001', federationNumber: null, feiId: null };
	const text = memberSearchText({ firstName: 'Anna-Maria', lastName: "Van d'Arc", ...numbers });
	expect(text.split('\n')).toEqual([
		'',
		"van d'arc anna-maria",
		"anna-maria van d'arc",
		"d'arc",
		'arc',
		'maria',
		'12340001',
		'',
	]);
});

test('every searched text is between line breaks', () => {
	const text = memberSearchText({
		firstName: 'Jörg',
		lastName: 'Maß',
		email: 'j@example.org',
		membershipNumber: '12340001',
		federationNumber: null,
		feiId: '10000001',
	});
	expect(text).toBe('\nmass joerg\nmass jorg\njoerg mass\njorg mass\nj@example.org\n12340001\n10000001\n');
});
