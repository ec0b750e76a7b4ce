import { describe, expect, test } from '@jest/globals';
import { searchForms, searchLines, searchPatterns } from './search-lines.ts';

describe('search forms', () => {
	test.each([
		['Österreich', ['oesterreich', 'osterreich']],
		['O\u0308sterreich', ['oesterreich', 'osterreich']],
		['Weißenbach', ['weissenbach']],
		['  Île   de  Ré ', ['ile de re']],
		['ŁÓDŹ', ['lodz']],
		['Côte d’Ivoire', ["cote d'ivoire"]],
		['Müller & Söhne', ['mueller & soehne', 'muller & sohne']],
	])('%s is found as %j', (text, forms) => {
		expect(searchForms(text)).toEqual(forms);
	});
});

test('a line each, without doubles and without what is absent', () => {
	expect(searchLines('Togo', null, 'TOGO', 'Österreich')).toBe('\ntogo\noesterreich\nosterreich');
});

test('what LIKE would read as a wildcard is taken literally', () => {
	expect(searchPatterns('50%_\\')).toEqual({ prefix: ['%\n50\\%\\_\\\\%'], infix: ['%50\\%\\_\\\\%'] });
});

test('what is nothing but marks is looked for nowhere', () => {
	expect(searchPatterns('\u0301\u0308')).toEqual({ prefix: [], infix: [] });
});
