import { refilledTexts, searchLines } from '@paddock/database';
import { cleanNumber } from '@paddock/text';
import { breedKey } from '../horses/store.ts';

/** Punctuation separates words, and each word has a line of its own. */
export const foldedWords = refilledTexts(
	{
		table: 'horses',
		read: ['name', 'breed', 'passport_number'],
		write: ['name_text', 'breed_key', 'passport_key'],
		compute: (name = null, breed = null, passport = null) => [
			searchLines(name),
			breed === null ? null : breedKey(breed),
			passport === null ? null : cleanNumber(passport),
		],
	},
	{
		table: 'horses',
		read: [
			'ueln',
			'microchip',
			'federation_horse_number',
			'head_number',
			'fei_id',
			'passport_number',
			'passport_key',
		],
		write: ['number_text'],
		compute: (...numbers) => [searchLines(...numbers)],
	},
);
