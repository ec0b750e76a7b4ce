import { refilledTexts, searchLines } from '@paddock/database';

/** Punctuation separates words, and each word has a line of its own. */
export const foldedWords = refilledTexts(
	{
		table: 'countries',
		read: ['name_en', 'name_de', 'iso_alpha2', 'iso_alpha3', 'iso_numeric', 'ioc_code'],
		write: ['search_text'],
		compute: (...texts) => [searchLines(...texts)],
	},
	{
		table: 'venues',
		read: ['name', 'city'],
		write: ['search_text'],
		compute: (...texts) => [searchLines(...texts)],
	},
);
