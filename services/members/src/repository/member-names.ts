import { searchLines } from '@paddock/database';
import { searchForms } from '@paddock/text';

interface Name {
	readonly firstName: string;
	readonly lastName: string;
}

/**
 * Key that is the same for all spellings of a person's names: no case, no diacritics, no punctuation, and `ae`, `oe`,
 * `ue` reduced to the vowel, since that is what ä, ö, ü are without their dots. Two names may collide (Bauer, Baur),
 * which costs only a confirmation.
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

/** Sort key in telephone directory order, Ö beside O; compared byte by byte. A tab sorts before all letters. */
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
 * Search text of a member, delimited by line breaks: both orders of the name, the later parts of names of several
 * words, e-mail and numbers. The beginning of each word follows a line break, so one pattern finds it.
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
