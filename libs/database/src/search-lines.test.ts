import { expect, test } from '@jest/globals';
import { searchLines, searchPatterns } from './search-lines.ts';

test('a line each, without doubles and without what is absent', () => {
	expect(searchLines('Togo', null, 'TOGO', 'Österreich')).toBe('\ntogo\noesterreich\nosterreich');
});

test('what LIKE would read as a wildcard is taken literally', () => {
	expect(searchPatterns('50%_\\')).toEqual({ prefix: ['%\n50\\%\\_\\\\%'], infix: ['%50\\%\\_\\\\%'] });
});

test('what is nothing but marks is looked for nowhere', () => {
	expect(searchPatterns('\u0301\u0308')).toEqual({ prefix: [], infix: [] });
});
