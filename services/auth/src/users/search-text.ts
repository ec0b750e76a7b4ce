import { searchLines } from '@paddock/database';

/** Search text of a user: each word of the names, and the address, at the beginning of a line. */
export function searchTextOf(user: {
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
}): string {
	const names = [user.lastName, user.firstName];
	const laterWords = names.flatMap((name) => name.split(/[\s-]+/).slice(1));
	return searchLines(...names, ...laterWords, user.email);
}
