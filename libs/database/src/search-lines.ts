import { foldedTexts, withoutUmlautVowels } from '@paddock/text';
import { type RawBuilder, sql } from 'kysely';

/** A text, or the names of which a text consists. */
type SearchText = string | readonly string[] | null;

/**
 * The content of a column that `textMatches` searches: a line for each spelling of each text, and a line that begins with
 * a blank for each of its words, also written together (`O'Neill` → `o`, `neill`, `oneill`) and with umlauts reduced as in
 * `comparisonKey`, so that whatever is the same for the detection of duplicates is found.
 */
export function searchLines(...texts: readonly SearchText[]): string {
	const lines = texts.flatMap((text) =>
		text === null ? [] : linesOf(typeof text === 'string' ? [text] : text),
	);
	return lines.length === 0 ? '' : `\n${[...new Set(lines)].join('\n')}\n`;
}

/** In a longer text, letters of different words next to each other would match by chance. */
const wordsTogetherMax = 4;

function linesOf(names: readonly string[]): readonly string[] {
	const folded = names.map(foldedTexts).filter((spellings) => spellings.length > 0);
	const spellings = [0, 1].map((at) => folded.map((forms) => forms[at] ?? forms[0] ?? []));
	return spellings.flatMap((form) => {
		const words = form.flat(2);
		if (words.length === 0) return [];
		const together = form.flatMap((parts) => {
			const all = parts.flat();
			return [
				...parts.map((part) => part.join('')),
				...(all.length > wordsTogetherMax ? [] : [all.join('')]),
			];
		});
		const single = [...words, ...together];
		return [words.join(' '), ...single.flatMap((word) => [` ${word}`, ` ${withoutUmlautVowels(word)}`])];
	});
}

/** LIKE patterns over `searchLines`; the list matches if one of them does. */
type Patterns = readonly string[];

/** Patterns for what a user typed. */
export interface TextQuery {
	/** For each part between blanks and commas; all must match. Empty if nothing was typed. */
	readonly parts: readonly {
		readonly typed: string;
		readonly anywhere: Patterns;
		readonly beginning: Patterns;
	}[];
	/** All parts written together; matches as well. */
	readonly together: Patterns;
	/** A text begins with what was typed. */
	readonly start: Patterns;
	/** A text is what was typed, apart from punctuation. */
	readonly whole: Patterns;
}

/**
 * The indexes consist of trigrams. A shorter text has one only at the beginning of a word, where the gap before it counts
 * too; anywhere else, each search would read the whole table.
 */
const anywhereLengthMin = 3;

/**
 * Patterns for a query: a part is found anywhere, one of one or two characters at the beginning of words only. A query of
 * one character finds whole words, since it would match most texts otherwise.
 */
export function textQuery(typed: string): TextQuery {
	const spellings = foldedTexts(typed);
	const partCount = spellings[0]?.length ?? 0;
	const written = typed.trim().split(/[\s,]+/);
	const parts = Array.from({ length: partCount }, (_, at) =>
		partPatterns(
			spellings.map((words) => words[at] ?? []),
			{ isAlone: partCount === 1, isMail: written.length === partCount && isMail(written[at]) },
		),
	);
	const wholes = spellings.map((words) => words.flat());
	const joined = wholes.map((words) => words.join(''));
	const whole = [...wholes.map((words) => words.join(' ')), ...joined].map(wholeText);
	return {
		// A repeated part costs time without narrowing the result.
		parts: parts.filter(({ typed: part }, at) => parts.findIndex((other) => other.typed === part) === at),
		together: partCount < 2 ? [] : distinct(joined.map((word) => `%${literal(word)}%`)),
		start: distinct(wholes.map((words) => `%\n${literal(words.join(' '))}%`)),
		whole: distinct(partCount === 1 && isMail(written[0]) ? joined.map(wholeWord) : whole),
	};
}

/**
 * Of an e-mail address, which is stored in one word too. Where that begins and ends, its trigrams are rarer than those of its words, such
 * as a domain that most addresses have.
 */
function isMail(typed: string | undefined): boolean {
	return typed?.includes('@') === true;
}

/** `forms`: the words of one part in each spelling. `isAlone`: whether it is the only part of the query. */
function partPatterns(
	forms: readonly (readonly string[])[],
	{ isAlone, isMail }: { readonly isAlone: boolean; readonly isMail: boolean },
) {
	const joined = forms.map((words) => words.join(''));
	const reduced = joined.map((word) => wholeWord(withoutUmlautVowels(word)));
	const beginning = distinct([...forms.flatMap(beginnings), ...reduced]);
	const length = [...(joined.at(-1) ?? '')].length;
	const typed = joined.at(-1) ?? '';
	if (length < anywhereLengthMin)
		return {
			typed,
			beginning,
			anywhere: isAlone && length === 1 ? distinct(joined.map(wholeWord)) : beginning,
		};
	const texts = isMail ? joined : [...forms.map((words) => words.join(' ')), ...joined];
	const anywhere = texts.map((text) => `%${literal(text)}%`);
	return { typed, beginning, anywhere: distinct([...anywhere, ...reduced]) };
}

/** An expression instead of a name is compared row by row. */
type SearchedColumn = string | RawBuilder<string>;

/** Condition: the text matches the query. */
export function textMatches(column: SearchedColumn, { parts, together }: TextQuery): RawBuilder<boolean> {
	if (parts.length === 0) return sql<boolean>`false`;
	const all = allOf(parts.map(({ anywhere }) => matchesAny(column, anywhere)));
	// A text that has `huberanna` has `huber` and `anna`.
	const others = together.filter(
		(pattern) => !parts.every(({ anywhere }) => anywhere.some((part) => covers(part, pattern))),
	);
	return others.length === 0 ? all : sql<boolean>`(${all} or ${matchesAny(column, others)})`;
}

/** Condition: each part of the query begins a word. */
export function wordsBegin(column: string, { parts }: TextQuery): RawBuilder<boolean> {
	return allOf(parts.map((part) => matchesAny(column, part.beginning)));
}

export function matchesAny(column: SearchedColumn, patterns: Patterns): RawBuilder<boolean> {
	const text = typeof column === 'string' ? sql.ref(column) : column;
	return sql<boolean>`${text} like any (${[...patterns]})`;
}

function allOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
	return conditions.length === 0 ? sql<boolean>`true` : sql<boolean>`(${sql.join(conditions, sql` and `)})`;
}

/** Several words are on a line of their own only when written together. */
function beginnings(words: readonly string[]): string[] {
	const together = `%\n ${literal(words.join(''))}%`;
	if (words.length < 2) return [together];
	const apart = literal(words.join(' '));
	return [together, `%\n${apart}%`, `% ${apart}%`];
}

function wholeText(text: string): string {
	return `%\n${literal(text)}\n%`;
}

function wholeWord(word: string): string {
	return `%\n ${literal(word)}\n%`;
}

function literal(text: string): string {
	return text.replace(/[\\%_]/g, (special) => `\\${special}`);
}

/** Without patterns that another one covers: each is compared with each row. */
function distinct(patterns: readonly string[]): string[] {
	const all = [...new Set(patterns)];
	return all.filter((pattern) => !all.some((other) => other !== pattern && covers(other, pattern)));
}

/** Whether `wider` matches all that the pattern does; both are texts between two wildcards. */
function covers(wider: string, pattern: string): boolean {
	return pattern.slice(1, -1).includes(wider.slice(1, -1));
}
