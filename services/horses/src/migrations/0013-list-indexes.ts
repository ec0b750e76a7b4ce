import { concurrentIndexes } from '@paddock/database';

/**
 * An index for each sort of the lists, and statistics of columns that depend on each other: without them a list with several
 * filters is estimated to be much longer or shorter than it is.
 */
export const listIndexes = concurrentIndexes(
	{
		horses_born_index: 'horses (birth_year, id)',
		horses_breed_index: `horses ((coalesce(breed, U&'\\FFFF') collate "und-x-icu"), id)`,
		horses_sex_index: 'horses (sex, id)',
		horses_registered_on_index: 'horses (registered_on, id)',
		horses_created_at_index: 'horses (created_at, id)',
		horses_changed_index: 'horses (updated_at, id)',
		horses_pony_index: 'horses (id) where is_pony',
		ownership_transfers_created_at_index: 'ownership_transfers (created_at, id)',
		ownership_transfers_status_index: 'ownership_transfers (status, expires_at)',
	},
	[
		'create statistics horses_kinds (mcv, dependencies) on sex, is_pony, breed_key, status, birth_year from horses',
	],
);
