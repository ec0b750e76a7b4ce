import { concurrentIndexes } from '@paddock/database';

const breed = `(coalesce(breed, U&'\\FFFF') collate "und-x-icu")`;
const born = 'birth_year, date_of_birth';

/** Pairs of frequent filters are counted from the index of one of them alone, and the horses of a club are read in the order by name. */
export const countedPairs = concurrentIndexes(
	{
		horses_by_sex_index: `horses (sex, id) include (status, is_pony, ${born}, federation_horse_number)`,
		horses_by_breed_index: `horses (breed_key, ${breed}, id)
			include (status, sex, is_pony, ${born}, federation_horse_number)`,
		horses_by_pony_breed_index: `horses (${breed}, id)
			include (status, sex, ${born}, federation_horse_number) where is_pony`,
		horses_by_club_index: 'horses (club_id, name collate "und-x-icu", id) include (status)',
	},
	[],
	['horses_of_sex_index', 'horses_of_breed_index', 'horses_ponies_index', 'horses_club_id_index'],
);
