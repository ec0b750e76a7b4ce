import { expect, test } from '@jest/globals';
import { searchLines, searchPatterns } from './search-lines.ts';

test('one line each, without duplicates and absent values', () => {
	expect(searchLines('Togo', null, 'TOGO', 'Österreich')).toBe('\ntogo\noesterreich\nosterreich');
});

test('wildcards of LIKE are escaped', () => {
	expect(searchPatterns('50%_\\')).toEqual({ prefix: ['%\n50\\%\\_\\\\%'], infix: ['%50\\%\\_\\\\%'] });
});

test('text of combining marks only is not searched', () => {
	expect(searchPatterns('\u0301\u0308')).toEqual({ prefix: [], infix: [] });
});
