import { concurrentIndexes } from '@paddock/database';

const breed = `(coalesce(breed, U&'\\FFFF') collate "und-x-icu")`;

/**
 * Filters that are counted from their index alone, since each list leaves out deleted horses. Those of breeds and ponies have the order by
 * breed, in which their horses are next to each other.
 */
export const countedLists = concurrentIndexes(
	{
		horses_by_name_index: 'horses (name collate "und-x-icu", id) include (status)',
		horses_of_sex_index: 'horses (sex, id) include (status)',
		horses_of_breed_index: `horses (breed_key, ${breed}, id) include (status, sex, is_pony, federation_horse_number)`,
		horses_ponies_index: `horses (${breed}, id) include (status, federation_horse_number) where is_pony`,
	},
	[],
	[
		'horses_name_index',
		'horses_sex_index',
		'horses_breed_key_index',
		'horses_pony_index',
		// Those of (birth_year, id) and (updated_at, id) serve the same queries.
		'horses_birth_year_index',
		'horses_updated_at_index',
	],
);
