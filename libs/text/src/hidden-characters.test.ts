import { expect, test } from '@jest/globals';
import { hasHiddenCharacter, hasTextOrder, withoutHiddenCharacters } from './hidden-characters.ts';

test.each([
	['zero width space', 'An\u200bna'],
	['non-joiner between Latin letters', 'An\u200cna'],
	['joiner between Latin letters', 'An\u200dna'],
	['joiner at the end', 'Anna\u200d'],
	['left-to-right mark', 'Anna\u200e'],
	['right-to-left override', '\u202eannA'],
	['isolate', '\u2066Anna\u2069'],
	['word joiner', 'An\u2060na'],
	['byte order mark', '\ufeffAnna'],
	['soft hyphen', 'An\u00adna'],
	['tag', 'Anna\u{e0041}'],
	['Hangul filler', '\u3164'],
	['combining grapheme joiner', 'A\u034fnna'],
	['non-joiner at the end of an Arabic word', '\u0639\u0644\u06cc\u200c'],
	['two non-joiners', '\u06cc\u200c\u200c\u0631'],
	['joiner between Arabic letters', '\u06cc\u200d\u0631'],
])('a hidden character is found and removed: %s', (_name, text) => {
	expect(hasHiddenCharacter(text)).toBe(true);
	expect(hasHiddenCharacter(withoutHiddenCharacters(text))).toBe(false);
});

test.each([
	['Latin', 'Jo\u0308rg Müller-Öß'],
	['Persian with a non-joiner (A1)', '\u0639\u0644\u06cc\u200c\u0631\u0636\u0627'],
	[
		'Kannada with a non-joiner behind a virama (A2)',
		'\u0cb0\u0cbe\u0c9c\u0ccd\u200c\u0c95\u0cc1\u0cae\u0cbe\u0cb0',
	],
	['Sinhala with a joiner behind a virama (B)', '\u0dc1\u0dca\u200d\u0dbb\u0dd3'],
	['Japanese with a variation selector', '\u845b\u{e0100}'],
	['Hebrew', '\u05d3\u05d5\u05d3'],
	['Arabic with marks', '\u0645\u064f\u062d\u064e\u0645\u0651\u064e\u062f'],
	['Devanagari', '\u0915\u094d\u0937\u093f'],
	['emoji', '\u{1f40e}'],
])('no hidden character: %s', (_name, text) => {
	expect(hasHiddenCharacter(text)).toBe(false);
	expect(withoutHiddenCharacters(text)).toBe(text.normalize('NFC'));
});

test('embeddings, overrides and isolates change the text order; directional marks do not', () => {
	for (const control of '\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069')
		expect(hasTextOrder(`a${control}b`)).toBe(true);
	expect(hasTextOrder('a\u200e\u200f\u061cb')).toBe(false);
});

test.each([
	['An\u00adna', 'Anna'],
	['Anna \u200b', 'Anna'],
	['Ju\u200b\u0308rgen', 'Jürgen'],
	['\u0639\u0644\u06cc\u200c\u0631\u00ad\u0636\u0627', '\u0639\u0644\u06cc\u200c\u0631\u0636\u0627'],
	['\u0dc1\u0dca\u200d\u200b\u0dcf', '\u0dc1\u0dca\u0dcf'],
	['\u3164', ''],
])('only hidden characters are removed from %j', (text, shown) => {
	expect(withoutHiddenCharacters(text)).toBe(shown);
});
