import { describe, expect, test } from '@jest/globals';
import { searchForms } from './fold-text.ts';

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
