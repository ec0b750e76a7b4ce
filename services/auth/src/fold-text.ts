// A digraph and its umlaut fold to the same letter, so that Mueller, Müller and Muller find each other.
const digraphs: Readonly<Record<string, string>> = { ae: 'a', oe: 'o', ue: 'u', ss: 's' };
const umlauts: Readonly<Record<string, string>> = { ä: 'ae', ö: 'oe', ü: 'ue' };

/**
 * The form in which a search compares texts: without case, diacritics and width, and with ae = ä, oe = ö, ue = ü,
 * ss = ß. Lossy ("Michael" and "Michal" fold alike): fold both sides, and never show the result.
 */
export function foldText(text: string): string {
	return withoutMarks(text).replaceAll(/ae|oe|ue|ss/g, (digraph) => digraphs[digraph] ?? digraph);
}

/** In lower case, without diacritics and width: "Ｍüller" → "muller", "Strauß" → "strauss". */
export function withoutMarks(text: string): string {
	return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase().replaceAll('ß', 'ss');
}

/** As `withoutMarks`, with umlauts written out as German does without an umlaut key: "Müller" → "mueller". */
export function withUmlautsSpelledOut(text: string): string {
	return withoutMarks(
		text
			.normalize('NFC')
			.toLowerCase()
			.replaceAll(/[äöü]/g, (umlaut) => umlauts[umlaut] ?? umlaut),
	);
}
