import { foldText } from '../fold-text.ts';

/**
 * What a search for users looks into, folded: each word after a blank, so that `% q%` finds beginnings of words; the
 * last name twice, so that "Huber Anna" is found as well as "Anna Huber".
 */
export function searchTextOf(user: {
	readonly email: string;
	readonly firstName: string;
	readonly lastName: string;
}): string {
	return foldText(` ${user.lastName} ${user.firstName} ${user.lastName} ${user.email}`);
}
