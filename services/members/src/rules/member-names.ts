import { searchLines } from '@paddock/database';
import { searchForms } from '@paddock/text';

interface Name {
	readonly firstName: string;
	readonly lastName: string;
}

/**
 * What the names of one person have in common however they were typed: no case, no diacritics, no punctuation, and
 * `ae`, `oe`, `ue` count as the vowel alone, since that is what ä, ö, ü are without their dots. Two names may share it
 * by chance (Bauer, Baur), which costs a confirmation and no more.
 */
export function nameKey({ firstName, lastName }: Name): string {
	return [firstName, lastName]
		.map((name) =>
			withoutDots(name)
				.replace(/[^\p{L}\p{N}]/gu, '')
				.replace(/([aou])e/g, '$1'),
		)
		.join(' ');
}

/** Orders people as a telephone directory does, Ö beside O; compared byte by byte. A tab comes before all letters. */
export function sortName({ firstName, lastName }: Name): string {
	return `${withoutDots(lastName)}\t${withoutDots(firstName)}`;
}

interface Searchable extends Name {
	readonly email: string | null;
	readonly membershipNumber: string;
	readonly federationNumber: string | null;
	readonly feiId: string | null;
}

/**
 * What search looks through, each between line breaks: both orders of the name, what follows in a name of several words,
 * e-mail and numbers. So whatever begins a word follows a line break, and one pattern finds it.
 */
export function memberSearchText(member: Searchable): string {
	const { firstName, lastName, email, membershipNumber, federationNumber, feiId } = member;
	const names = [`${lastName} ${firstName}`, `${firstName} ${lastName}`];
	const laterWords = [lastName, firstName].flatMap(namesWithin);
	return `${searchLines(...names, ...laterWords, email, membershipNumber, federationNumber, feiId)}\n`;
}

/** `Van de Velde` → `de Velde`, `Velde`. */
function namesWithin(name: string): string[] {
	return [...name.matchAll(/[\s\-'’](?=\p{L})/gu)].map((gap) => name.slice(gap.index + 1));
}

/** The spelling of `searchForms` in which an umlaut is its base letter. */
function withoutDots(text: string): string {
	return searchForms(text).at(-1) ?? '';
}
