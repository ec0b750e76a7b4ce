import { shortenMarkRuns } from '@paddock/text';

// Letters that Unicode doesn't decompose into a base letter and a mark.
const undecomposed: Readonly<Record<string, string>> = {
	ß: 'ss',
	æ: 'ae',
	œ: 'oe',
	ø: 'o',
	ł: 'l',
	đ: 'd',
	ı: 'i',
	'’': "'",
};
const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/**
 * The spellings under which a text is found: case and diacritics are folded, and an umlaut counts as its base letter
 * and as its two-letter form: `Österreich` → `oesterreich`, `osterreich`. A search that compares each form of what was
 * typed with each form of what is stored so takes ä = ae = a on either side.
 */
export function searchForms(text: string): readonly string[] {
	const lower = shortenMarkRuns(text)
		.normalize('NFC')
		.toLowerCase()
		.replace(/\s+/g, ' ')
		.trim()
		.replace(/[ßæœøłđı’]/g, (letter) => undecomposed[letter] ?? letter);
	const expanded = lower.replace(/[äöü]/g, (letter) => umlauts[letter] ?? letter);
	return [...new Set([withoutMarks(expanded), withoutMarks(lower)])];
}

function withoutMarks(text: string): string {
	return text.normalize('NFD').replace(/\p{M}/gu, '');
}

/** What a `search_text` column holds: each form of each text behind a line break, which `searchPatterns` looks for. */
export function searchLines(...texts: readonly (string | null)[]): string {
	const forms = texts.flatMap((text) => (text === null ? [] : searchForms(text)));
	return [...new Set(forms)].map((form) => `\n${form}`).join('');
}

/**
 * LIKE patterns over `search_text`: hits at the beginning of a text, and hits anywhere. None for what is nothing but
 * marks, which would else be found in every text.
 */
export function searchPatterns(typed: string): { prefix: string[]; infix: string[] } {
	const typedForms = searchForms(typed).filter((form) => form !== '');
	const forms = typedForms.map((form) => form.replace(/[\\%_]/g, (special) => `\\${special}`));
	return { prefix: forms.map((form) => `%\n${form}%`), infix: forms.map((form) => `%${form}%`) };
}
