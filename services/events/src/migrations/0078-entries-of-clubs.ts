import { concurrentIndexes } from '@paddock/database';

const sorted = 'updated_at, entry_number, position, rider_name, is_confirmed, horse_name';

/**
 * The entries of a club's riders, and those in doubt, with all that they are sorted by: each is on another page of a large
 * table.
 */
export const entriesOfClubs = concurrentIndexes(
	{
		entries_club_list_index: `entries (rider_club_id, created_at, id) include (event_id, status, ${sorted})`,
		entries_in_doubt_list_index: `entries (event_id, status) include (id, rider_club_id, created_at, ${sorted})
			where checks @> '[{"level": "ERROR"}]' or checks @> '[{"code": "NOT_RECHECKED"}]'`,
	},
	[],
	['entries_rider_club_created_index', 'entries_in_doubt_index'],
);
