import { shortenMarkRuns } from './mark-runs.ts';

// Letters that Unicode does not decompose into a base letter and a mark, and other shapes of apostrophe and hyphen. Stored
// text is folded like this: a further character needs a migration, see `foldedLetters`.
const undecomposed: Readonly<Record<string, string>> = {
	ß: 'ss',
	æ: 'ae',
	œ: 'oe',
	ø: 'o',
	ł: 'l',
	đ: 'd',
	ð: 'd',
	þ: 'th',
	ħ: 'h',
	ı: 'i',
	'’': "'",
	'‘': "'",
	ʼ: "'",
	'\u2010': '-',
	'\u2011': '-',
};
const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/** In lower case, without diacritics: `Österreich` → `osterreich`, `Strauß` → `strauss`. */
export function withoutMarks(text: string): string {
	return lowerCase(text).normalize('NFD').replace(/\p{M}/gu, '');
}

/** As `withoutMarks`, with umlauts in their two-letter form: `Österreich` → `oesterreich`. */
export function withUmlautsSpelledOut(text: string): string {
	return withoutMarks(lowerCase(text).replace(/[äöü]/g, (letter) => umlauts[letter] ?? letter));
}

/**
 * The spellings under which a text is found: case, diacritics and the width of gaps are folded, and an umlaut is
 * matched in its two-letter form and as its base letter: `Österreich` → `oesterreich`, `osterreich`. A search that
 * compares each form of the query with each form of a text treats ä = ae = a on either side.
 */
export function searchForms(text: string): readonly string[] {
	const line = text.replace(/\s+/g, ' ').trim();
	return [...new Set([withUmlautsSpelledOut(line), withoutMarks(line)])];
}

function lowerCase(text: string): string {
	return shortenMarkRuns(text)
		.normalize('NFC')
		.toLowerCase()
		.replace(/[ßæœøłđðþħı’‘ʼ\u2010\u2011]/g, (letter) => undecomposed[letter] ?? letter);
}
