import { searchForms } from '@paddock/text';

/** LIKE patterns over the text of `memberSearchText`; a list matches if one of its patterns matches. */
type Patterns = readonly string[];

/** Search patterns of one query. */
export interface SearchWords {
	/** One list for each distinct word; all lists must match. Empty = no searchable word was typed. */
	readonly words: readonly Patterns[];
	/** Match if each word begins a word of a name. Exclude the words that are searched only at the beginning. */
	readonly beginnings: readonly Patterns[];
	/** Matches the exact number or e-mail address; undefined if the input can be neither. */
	readonly identifier: Patterns | undefined;
}

// The index consists of trigrams. Shorter texts can be found only at the beginning of a word, where the gap before them
// counts too.
const anywhereLengthMin = 3;

/** Builds the search patterns for the input `typed`. */
export function searchWords(typed: string): SearchWords {
	const words = differentWords(typed);
	const isLong = (form: string) => [...form].length >= anywhereLengthMin;
	const begins = (form: string) => `%\n${literal(form)}%`;
	return {
		words: words.map((forms) => forms.map((form) => (isLong(form) ? `%${literal(form)}%` : begins(form)))),
		beginnings: words.filter((forms) => forms.some(isLong)).map((forms) => forms.map(begins)),
		identifier: /[\d@]/.test(typed) ? searchForms(typed).map((form) => `%\n${literal(form)}\n%`) : undefined,
	};
}

/**
 * Returns the spellings of each distinct word. Duplicates cost time without narrowing the result; marks alone fold to
 * nothing.
 */
function differentWords(typed: string): (readonly string[])[] {
	const words = typed.split(/\s+/).map(searchForms);
	const byForms = new Map(words.map((forms) => [forms.join(' '), forms]));
	byForms.delete('');
	return [...byForms.values()];
}

function literal(text: string): string {
	return text.replace(/[\\%_]/g, (special) => `\\${special}`);
}
