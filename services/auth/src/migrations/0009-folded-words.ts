import { refilledTexts } from '@paddock/database';
import { searchTextOf } from '../users/store.ts';

/** Punctuation separates words, and each word has a line of its own. */
export const foldedWords = refilledTexts({
	table: 'users',
	read: ['first_name', 'last_name', 'email'],
	write: ['search_text'],
	compute: (firstName, lastName, email) => [
		searchTextOf({ firstName: firstName ?? '', lastName: lastName ?? '', email: email ?? '' }),
	],
});
