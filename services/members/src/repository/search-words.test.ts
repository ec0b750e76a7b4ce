import { expect, test } from '@jest/globals';
import { searchWords } from './search-words.ts';

test('each word is looked for by itself, anywhere, in every spelling', () => {
	expect(searchWords('Grüner  anna')).toEqual({
		words: [['%gruener%', '%gruner%'], ['%anna%']],
		beginnings: [['%\ngruener%', '%\ngruner%'], ['%\nanna%']],
		identifier: undefined,
	});
});

test('text that is too short for the index is searched at the beginning of words', () => {
	const { words, beginnings } = searchWords('mü al');
	expect(words).toEqual([['%mue%', '%\nmu%'], ['%\nal%']]);
	expect(beginnings).toEqual([['%\nmue%', '%\nmu%']]);
});

test('only text with a digit or an @ can be a number or an e-mail address', () => {
	expect(searchWords('12340001').identifier).toEqual(['%\n12340001\n%']);
	expect(searchWords('Ä@example.org').identifier).toEqual(['%\nae@example.org\n%', '%\na@example.org\n%']);
});

test('a repeated word is searched once, and a word of marks not at all', () => {
	expect(searchWords('an An ÁN').words).toEqual([['%\nan%']]);
	expect(searchWords('anna \u0301').words).toEqual([['%anna%']]);
	expect(searchWords('\u0301\u0302')).toEqual({ words: [], beginnings: [], identifier: undefined });
});

test('wildcards of LIKE are escaped', () => {
	expect(searchWords('a_b%c\\').words).toEqual([['%a\\_b\\%c\\\\%']]);
});
