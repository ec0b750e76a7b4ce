/**
 * The most combining marks in a row that text may have: the stream-safe limit of UAX #15 §13. Normalisation sorts each
 * run of marks in quadratic time, so that a run of 50,000 blocks the event loop for seconds.
 */
export const marksMax = 30;

// U+FF9E and U+FF9F are letters that NFKC and NFKD turn into marks. The lookbehind starts one match per run; without it
// a run is scanned again from each of its marks.
const longRun = /(?<![\p{M}\uff9e\uff9f])[\p{M}\uff9e\uff9f]{31}/u;
const longRuns = /(?<![\p{M}\uff9e\uff9f])([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** Whether the text has more than `marksMax` combining marks in a row. Such text must not be normalised. */
export function hasLongMarkRun(text: string): boolean {
	return longRun.test(text);
}

/** The text without the marks past `marksMax` of each run, for text that can't be refused any more. */
export function shortenMarkRuns(text: string): string {
	return text.replace(longRuns, '$1');
}
