import { expect, test } from '@jest/globals';
import { searchWords } from './search-words.ts';

test('each word is looked for by itself, anywhere, in every spelling', () => {
	expect(searchWords('Grüner  anna').words).toEqual([['%gruener%', '%gruner%'], ['%anna%']]);
});

test('what is too short for the index is looked for at the beginning of words', () => {
	expect(searchWords('mü').words).toEqual([['%mue%', '%\nmu%', '% mu%', '%-mu%']]);
});

test('a whole and a beginning mean all that was typed; beginnings mean each word', () => {
	const { whole, beginning, beginnings } = searchWords('de Velde');
	expect(whole).toEqual(['%\nde velde\n%']);
	expect(beginning).toEqual(['%\nde velde%']);
	expect(beginnings).toEqual([['%\nde%'], ['%\nvelde%']]);
});

test('wildcards of LIKE stand for themselves', () => {
	expect(searchWords('a_b%c\\').words).toEqual([['%a\\_b\\%c\\\\%']]);
});
