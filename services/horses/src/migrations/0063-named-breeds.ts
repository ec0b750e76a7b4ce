import { concurrentIndexes } from '@paddock/database';

/** The horses of a breed in the order by name, of which a search wants the beginning, with the other frequent filters. */
export const namedBreeds = concurrentIndexes({
	horses_breed_names_index: `horses (breed_key, name collate "und-x-icu", id)
		include (status, sex, is_pony, birth_year, federation_horse_number, date_of_birth, updated_at)`,
});
