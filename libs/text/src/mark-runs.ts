/**
 * Maximum length of a run of combining marks: the stream-safe limit of UAX #15 §13. Normalisation sorts each run in
 * quadratic time, so a run of 50,000 marks blocks the event loop for seconds.
 */
export const marksMax = 30;

// U+FF9E and U+FF9F are letters that NFKC and NFKD turn into marks. The lookbehind allows one match per run; without it
// a run is scanned from each of its marks.
const longRun = /(?<![\p{M}\uff9e\uff9f])[\p{M}\uff9e\uff9f]{31}/u;
const longRuns = /(?<![\p{M}\uff9e\uff9f])([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu;

/** Whether the text has more than `marksMax` combining marks in a row. Such text must not be normalised. */
export function hasLongMarkRun(text: string): boolean {
	return longRun.test(text);
}

/** The text with each run of marks cut to `marksMax`, for stored text, which can't be refused. */
export function shortenMarkRuns(text: string): string {
	return text.replace(longRuns, '$1');
}
