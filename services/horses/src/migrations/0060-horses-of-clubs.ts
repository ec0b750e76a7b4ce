import { concurrentIndexes } from '@paddock/database';

/** The horses of a club with all that they are filtered and sorted by: each is on another page of a large table. */
export const horsesOfClubs = concurrentIndexes(
	{
		horses_club_filters_index: `horses (club_id, name collate "und-x-icu", id, status, sex, is_pony, breed_key, birth_year,
			federation_horse_number) include (date_of_birth, fei_id, breed, registered_on, created_at, updated_at)`,
	},
	[],
	['horses_by_club_index'],
);
