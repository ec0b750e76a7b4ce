import { searchForms } from '@paddock/database';

/** LIKE patterns over the text of `memberSearchText`; a list is met when one of its patterns is. */
export interface SearchWords {
	/** One list for each word typed; all of them must be met. */
	readonly words: readonly (readonly string[])[];
	/** The whole of a name, e-mail address or number. */
	readonly whole: readonly string[];
	/** The beginning of one. */
	readonly beginning: readonly string[];
	/** As `words`, but each word begins a name, e-mail address or number. */
	readonly beginnings: readonly (readonly string[])[];
}

// The index holds runs of three characters. Of fewer it can find those at the beginning of a word, where it counts the
// gap before them too.
const anywhereLengthMin = 3;

/** What to look for when somebody types `typed`. */
export function searchWords(typed: string): SearchWords {
	const words = typed.split(/\s+/).filter((word) => word !== '');
	return {
		words: words.map((word) => patternForms(word).flatMap(somewhere)),
		whole: patternForms(typed).map((form) => `%\n${form}\n%`),
		beginning: patternForms(typed).map((form) => `%\n${form}%`),
		beginnings: words.map((word) => patternForms(word).map((form) => `%\n${form}%`)),
	};
}

function somewhere(form: string): string[] {
	if ([...form].length >= anywhereLengthMin) return [`%${form}%`];
	return ['\n', ' ', '-'].map((gap) => `%${gap}${form}%`);
}

function patternForms(text: string): string[] {
	return searchForms(text).map((form) => form.replace(/[\\%_]/g, (special) => `\\${special}`));
}
