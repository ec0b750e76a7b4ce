// Scripts with joining letters; UAX #31 A1 uses joining types, which regular expressions don't support.
const joiningScripts = [
	'Adlam',
	'Arabic',
	'Chorasmian',
	'Hanifi_Rohingya',
	'Mandaic',
	'Manichaean',
	'Mongolian',
	'Nko',
	'Old_Uyghur',
	'Phags_Pa',
	'Psalter_Pahlavi',
	'Sogdian',
	'Syriac',
]
	.map((script) => `\\p{Script_Extensions=${script}}`)
	.join('');
const joining = `[\\p{L}&&[${joiningScripts}]]`;

/** Characters of the combining class Virama (9), from DerivedCombiningClass.txt of the Unicode database. */
const viramas = [
	'\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d3b\\u0d3c\\u0d4d\\u0dca\\u0e3a\\u0eba\\u0f84',
	'\\u1039\\u103a\\u1714\\u1715\\u1734\\u17d2\\u1a60\\u1b44\\u1baa\\u1bab\\u1bf2\\u1bf3\\u2d7f\\ua806\\ua82c',
	'\\ua8c4\\ua953\\ua9c0\\uaaf6\\uabed\\u{10a3f}\\u{11046}\\u{11070}\\u{1107f}\\u{110b9}\\u{11133}\\u{11134}',
	'\\u{111c0}\\u{11235}\\u{112ea}\\u{1134d}\\u{113ce}-\\u{113d0}\\u{11442}\\u{114c2}\\u{115bf}\\u{1163f}',
	'\\u{116b6}\\u{1172b}\\u{11839}\\u{1193d}\\u{1193e}\\u{119e0}\\u{11a34}\\u{11a47}\\u{11a99}\\u{11c3f}',
	'\\u{11d44}\\u{11d45}\\u{11d97}\\u{11f41}\\u{11f42}',
].join('');
const afterVirama = `(?<=\\p{L}\\p{M}*[${viramas}]\\p{M}*)`;

/** (Non-)joiners that affect the rendering of a word: UAX #31 §2.3.1, rules A1, A2 and B. */
const neededJoiners = new RegExp(
	[
		`(?<=${joining}\\p{M}*)\\u200c(?=\\p{M}*${joining})`,
		`${afterVirama}\\u200c(?=\\p{M}*\\p{L})`,
		`${afterVirama}\\u200d(?!\\p{M})`,
	].join('|'),
	'gv',
);

/** Invisible characters, except variation selectors, which select the shape of a letter. */
const hidden = /[[\p{Cf}\p{Default_Ignorable_Code_Point}]--\p{Variation_Selector}]/v;

/** Whether the text has invisible characters such as zero-width spaces, except joiners that a script needs (UAX #31 §2.3.1). */
export function hasHiddenCharacter(text: string): boolean {
	return hidden.test(text) && hidden.test(text.replace(neededJoiners, ''));
}

const hiddenEach = new RegExp(hidden.source, 'gv');

/** The text without hidden characters, in NFC and trimmed, for text stored before `hasHiddenCharacter` was checked. */
export function withoutHiddenCharacters(text: string): string {
	let shown = text;
	// Repeated: a joiner may have been needed only because of a removed character.
	while (hasHiddenCharacter(shown)) {
		const needed = new Set([...shown.matchAll(neededJoiners)].map(({ index }) => index));
		shown = shown.replace(hiddenEach, (character, index: number) => (needed.has(index) ? character : ''));
	}
	return shown.trim().normalize('NFC');
}

/** Bidirectional embeddings, overrides and isolates. */
const textOrder = /[\u202a-\u202e\u2066-\u2069]/;

/** Whether the text can change the direction of surrounding text. */
export function hasTextOrder(text: string): boolean {
	return textOrder.test(text);
}

/** Longest run of combining marks (UAX #15 §13): normalisation is quadratic, so 50,000 marks block the event loop for seconds. */
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
