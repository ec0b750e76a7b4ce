import { refilledTexts, searchLines } from '@paddock/database';
import { memberSearchText, nameKey, sortName } from '../members/names.ts';

/** Punctuation separates words, and each word has a line of its own. */
export const foldedWords = refilledTexts(
	{
		table: 'members',
		read: ['first_name', 'last_name'],
		write: ['name_key', 'sort_name'],
		compute: (firstName, lastName) => {
			const name = { firstName: firstName ?? '', lastName: lastName ?? '' };
			return [nameKey(name), sortName(name)];
		},
	},
	{
		table: 'member_search',
		from: 'members',
		read: ['first_name', 'last_name', 'email', 'membership_number', 'federation_number', 'fei_id'],
		write: ['search_text', 'sort_name'],
		compute: (first, last, email, number, federationNumber, feiId) => {
			const name = { firstName: first ?? '', lastName: last ?? '' };
			const numbers = {
				membershipNumber: number ?? '',
				federationNumber: federationNumber ?? null,
				feiId: feiId ?? null,
			};
			return [memberSearchText({ ...name, ...numbers, email: email ?? null }), sortName(name)];
		},
	},
	{
		table: 'clubs',
		read: ['name', 'short_name', 'club_number'],
		write: ['search_text'],
		compute: (...texts) => [searchLines(...texts)],
	},
);
