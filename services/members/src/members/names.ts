import { searchLines } from '@paddock/database';
import { comparisonKey, readableEmail, searchForms } from '@paddock/text';

interface Name {
	readonly firstName: string;
	readonly lastName: string;
}

/** Of a name in keys: some characters are a word when they are folded, and an index entry has 2,700 bytes at most. */
const keyCharsMax = 100;

/** Key that is the same for all spellings of a person's names, see `comparisonKey`; a collision costs a confirmation. */
export function nameKey({ firstName, lastName }: Name): string {
	return [firstName, lastName].map((name) => beginningOf(comparisonKey(name))).join(' ');
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

/** Search text of a member: both orders of the name, e-mail address in both forms of its domain, and numbers. */
export function memberSearchText(member: Searchable): string {
	const { firstName, lastName, email, membershipNumber, federationNumber, feiId } = member;
	const names = [
		[lastName, firstName],
		[firstName, lastName],
	];
	const addresses = email === null ? [] : [email, readableEmail(email)];
	return searchLines(...names, ...addresses, membershipNumber, federationNumber, feiId);
}

/** The spelling of `searchForms` in which an umlaut is its base letter. */
function withoutDots(text: string): string {
	return beginningOf(searchForms(text).at(-1) ?? '');
}

function beginningOf(text: string): string {
	return [...text].slice(0, keyCharsMax).join('');
}
