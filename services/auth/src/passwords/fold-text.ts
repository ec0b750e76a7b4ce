import * as folded from '@paddock/text';

/** As `withoutMarks` of libs/text, and without the width of letters: `Ｍüller` → `muller`. */
export function withoutMarks(text: string): string {
	return folded.withoutMarks(normalWidth(text));
}

/** As `withUmlautsSpelledOut` of libs/text, and without the width of letters: `Ｍüller` → `mueller`. */
export function withUmlautsSpelledOut(text: string): string {
	return folded.withUmlautsSpelledOut(normalWidth(text));
}

function normalWidth(text: string): string {
	return folded.shortenMarkRuns(text).normalize('NFKC');
}
