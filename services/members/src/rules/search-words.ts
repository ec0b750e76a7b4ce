import { searchForms } from '@paddock/text';

/** LIKE patterns over the text of `memberSearchText`; a list is met when one of its patterns is. */
type Patterns = readonly string[];

/** How somebody is found. */
export interface SearchWords {
	/** One list for each different word typed; all of them must be met. Empty = nothing to look for was typed. */
	readonly words: readonly Patterns[];
	/** Met where each word begins one of a name. Without the words that are looked for nowhere else. */
	readonly beginnings: readonly Patterns[];
	/** Met by the very number or e-mail address; undefined where what was typed can be neither. */
	readonly identifier: Patterns | undefined;
}

// The index holds runs of three characters. Of fewer it can find those at the beginning of a word, where it counts the
// gap before them too.
const anywhereLengthMin = 3;

/** What to look for when somebody types `typed`. */
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

/** The spellings of each word. One that comes again costs time and finds no less; marks alone fold to nothing. */
function differentWords(typed: string): (readonly string[])[] {
	const words = typed.split(/\s+/).map(searchForms);
	const byForms = new Map(words.map((forms) => [forms.join(' '), forms]));
	byForms.delete('');
	return [...byForms.values()];
}

function literal(text: string): string {
	return text.replace(/[\\%_]/g, (special) => `\\${special}`);
}
