import { shortenMarkRuns } from './hidden-characters.ts';

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
