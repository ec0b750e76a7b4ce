import { searchForms } from '@paddock/database';

/** LIKE patterns over the text of `memberSearchText`; a list is met when one of its patterns is. */
type Patterns = readonly string[];

/** How somebody is found. */
export interface SearchWords {
	/** One list for each word typed; all of them must be met. */
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
	const words = typed.split(/\s+/).filter((word) => word !== '');
	const isLong = (form: string) => [...form].length >= anywhereLengthMin;
	const begins = (form: string) => `%\n${literal(form)}%`;
	return {
		words: words.map((word) =>
			searchForms(word).map((form) => (isLong(form) ? `%${literal(form)}%` : begins(form))),
		),
		beginnings: words
			.map(searchForms)
			.filter((forms) => forms.some(isLong))
			.map((forms) => forms.map(begins)),
		identifier: /[\d@]/.test(typed) ? searchForms(typed).map((form) => `%\n${literal(form)}\n%`) : undefined,
	};
}

function literal(text: string): string {
	return text.replace(/[\\%_]/g, (special) => `\\${special}`);
}
