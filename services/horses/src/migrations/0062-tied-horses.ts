import { concurrentIndexes } from '@paddock/database';

const breed = `(coalesce(breed, U&'\\FFFF') collate "und-x-icu")`;
const filters =
	'status, sex, is_pony, breed_key, birth_year, federation_horse_number, date_of_birth, updated_at';

/**
 * Horses of one breed, year or name are a list of their own in an order by two fields: they are counted from the index alone. Those of
 * one name are up to 10,000, which are sorted with the other sort fields from there. Behind an expression, PostgreSQL reads its columns too.
 */
export const tiedHorses = concurrentIndexes(
	{
		horses_breed_order_index: `horses (${breed}, id) include (status, breed)`,
		horses_born_order_index: 'horses (birth_year, id) include (status)',
		horses_name_order_index: `horses (name collate "und-x-icu", id)
			include (${filters}, breed, registered_on, created_at)`,
	},
	[],
	['horses_breed_index', 'horses_born_index', 'horses_name_filters_index'],
);
