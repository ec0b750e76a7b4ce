import * as folded from '@paddock/text';

/** Like `withoutMarks` of libs/text, with full-width letters normalised: `Ｍüller` → `muller`. */
export function withoutMarks(text: string): string {
	return folded.withoutMarks(normalWidth(text));
}

/** Like `withUmlautsSpelledOut` of libs/text, with full-width letters normalised: `Ｍüller` → `mueller`. */
export function withUmlautsSpelledOut(text: string): string {
	return folded.withUmlautsSpelledOut(normalWidth(text));
}

function normalWidth(text: string): string {
	return folded.shortenMarkRuns(text).normalize('NFKC');
}
