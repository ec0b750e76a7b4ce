import { shortenMarkRuns } from './hidden-characters.ts';

// Letters that Unicode does not decompose into a base letter and a mark. Stored text is folded like this: a further
// character needs a migration, see `refilledTexts`.
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
	ŋ: 'n',
	ŧ: 't',
	ĸ: 'k',
	ə: 'e',
	ɛ: 'e',
	ɔ: 'o',
	ƒ: 'f',
	ɓ: 'b',
	ɗ: 'd',
	ƙ: 'k',
	ƴ: 'y',
	ǥ: 'g',
	ɨ: 'i',
	ʉ: 'u',
	// At the end of a word only, so that a text and its beginning would differ.
	ς: 'σ',
};
const undecomposedLetters = new RegExp(`[${Object.keys(undecomposed).join('')}]`, 'g');
const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

// Apostrophes that Unicode has as letters, as blanks with an accent, or as quotation marks.
const apostrophes =
	/[\u0060\u00b4\u02b9-\u02bf\u02c8\u02ca\u02cb\u02ee\u055a\u2018\u2019\u201b\u2032\ua78b\ua78c\uff07]/g;

/** In lower case and of normal width, without diacritics and ligatures: `Österreich` → `osterreich`, `Strauß` → `strauss`. */
export function withoutMarks(text: string): string {
	return lowerCase(text).normalize('NFD').replace(/\p{M}/gu, '');
}

/** As `withoutMarks`, with umlauts in their two-letter form: `Österreich` → `oesterreich`. */
export function withUmlautsSpelledOut(text: string): string {
	return withoutMarks(lowerCase(text).replace(/[äöü]/g, (letter) => umlauts[letter] ?? letter));
}

/** Words of a text: one list for each part between blanks and commas, with its words between other punctuation. */
type FoldedText = readonly (readonly string[])[];

/** The words under which a text is compared, in one or two spellings of umlauts: two letters, and the base letter. */
export function foldedTexts(text: string): readonly FoldedText[] {
	const spellings = [...new Set([withUmlautsSpelledOut(text), withoutMarks(text)])].map(wordsOf);
	if (spellings.some((parts) => parts.length > 0)) return spellings;
	const bare = shortenMarkRuns(text).normalize('NFKC').replace(/\s+/g, ' ').trim().toLowerCase();
	return bare === '' ? [] : [[[bare]]];
}

/** The spellings in which a text is found, so that ä = ae = a: `Österreich` → `oesterreich`, `osterreich`. */
export function searchForms(text: string): readonly string[] {
	return foldedTexts(text).map((parts) => parts.flat().join(' '));
}

/** The same for all spellings; `ae`, `oe`, `ue` count as the vowel. Different texts may collide (Bauer, Baur). */
export function comparisonKey(text: string): string {
	return withoutUmlautVowels(foldedTexts(text).at(-1)?.flat().join('') ?? '');
}

/** `mueller` → `muller`. */
export function withoutUmlautVowels(folded: string): string {
	return folded.replace(/([aou])e/g, '$1');
}

function wordsOf(folded: string): FoldedText {
	return folded
		.split(/[\s,;/|\u3001]+/)
		.map((part) => part.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ''))
		.filter((words) => words.length > 0);
}

function lowerCase(text: string): string {
	return shortenMarkRuns(text)
		.replace(apostrophes, "'")
		.normalize('NFKC')
		.toLowerCase()
		.replace(undecomposedLetters, (letter) => undecomposed[letter] ?? letter);
}

// Blanks of all kinds, hyphens and dashes, dots, slashes, and what word processors, spreadsheets and phone books add
// unseen: soft hyphens, zero-width and directional characters, apostrophes.
const separators = /[\s\p{Cf}\p{Pd}\u2212\u00b7\u2022./\\:_,'\u2018\u2019\u00b4`"]/gu;

/** Comparison form of an identifier: without separators, in capitals of normal width. `104 ab-12` → `104AB12`. */
export function cleanNumber(text: string): string {
	return (
		shortenMarkRuns(text)
			.normalize('NFKC')
			.replace(separators, '')
			// Not ß: its capitals are two letters, which would change the length.
			.replace(/\p{Ll}/gu, (letter) => {
				const capital = letter.toUpperCase();
				return capital.length === letter.length ? capital : letter;
			})
	);
}
