import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { contextWords } from './context-words.ts';
import { withoutMarks, withUmlautsSpelledOut } from './fold-text.ts';

const { resolve } = createRequire(import.meta.url);

/**
 * The lists of two packages, JSON arrays of strings. The long one is searched as text: unpacked by its package it takes
 * 25 MB, as a Set 5 MB.
 */
const leaked = read('@zxcvbn-ts/language-common/src/passwords.json');
const lengthMax = Math.max(...(JSON.parse(leaked) as string[]).map(({ length }) => length));
const germanLists = ['commonWords', 'firstnames'].map((name) =>
	read(`@zxcvbn-ts/language-de/src/${name}.json`),
);
const words: ReadonlySet<string> = new Set([
	...germanLists.flatMap((list) => (JSON.parse(list) as string[]).flatMap(spellings)),
	...contextWords,
]);

/**
 * Whether a text is among some 50,000 passwords that leaked most often, a frequent German word or first name, or a word of
 * this service's context. `folded` is in lower case without diacritics, or with umlauts spelled out.
 */
export function isListed(folded: string): boolean {
	if (words.has(folded)) return true;
	// No entry has one: in the text a quotation mark or a backslash is JSON's own.
	if (folded === '' || /["\\]/.test(folded)) return false;
	if (folded.length > lengthMax) return false;
	// Without the quotation marks first: they occur everywhere, and a search for them is ten times as slow.
	return leaked.includes(folded) && leaked.includes(`"${folded}"`);
}

function read(path: string): string {
	return readFileSync(resolve(path), 'utf8');
}

function spellings(word: string): string[] {
	if (/^[a-z]+$/.test(word)) return [word];
	return [withoutMarks(word), withUmlautsSpelledOut(word)];
}
