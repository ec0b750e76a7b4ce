import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { withoutMarks, withUmlautsSpelledOut } from '@paddock/text';
import { contextWords } from './context-words.ts';

const { resolve } = createRequire(import.meta.url);

/**
 * Word lists of two packages, JSON arrays of strings. The long list is searched as text: it takes 25 MB when unpacked
 * by its package, and 5 MB as a Set.
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
 * Whether a text is one of about 50,000 most frequently leaked passwords, a frequent German word or first name, or a
 * word of this service's context. `folded` is in lower case, without diacritics or with umlauts spelled out.
 */
export function isListed(folded: string): boolean {
	if (words.has(folded)) return true;
	// No entry contains a quotation mark or a backslash; in the JSON text they are syntax.
	if (folded === '' || /["\\]/.test(folded)) return false;
	if (folded.length > lengthMax) return false;
	// Search without quotation marks first: they occur everywhere and make the search ten times as slow.
	return leaked.includes(folded) && leaked.includes(`"${folded}"`);
}

function read(path: string): string {
	return readFileSync(resolve(path), 'utf8');
}

function spellings(word: string): string[] {
	if (/^[a-z]+$/.test(word)) return [word];
	return [withoutMarks(word), withUmlautsSpelledOut(word)];
}
