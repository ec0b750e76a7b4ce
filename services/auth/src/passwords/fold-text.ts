import { shortenMarkRuns } from '@paddock/text';

const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/** In lower case, without diacritics and width: "Ｍüller" → "muller", "Strauß" → "strauss". */
export function withoutMarks(text: string): string {
	return shortenMarkRuns(text)
		.normalize('NFKD')
		.replaceAll(/\p{M}/gu, '')
		.toLowerCase()
		.replaceAll('ß', 'ss');
}

/** As `withoutMarks`, with umlauts written out as German does without an umlaut key: "Müller" → "mueller". */
export function withUmlautsSpelledOut(text: string): string {
	return withoutMarks(
		shortenMarkRuns(text)
			.normalize('NFC')
			.toLowerCase()
			.replaceAll(/[äöü]/g, (umlaut) => umlauts[umlaut] ?? umlaut),
	);
}
