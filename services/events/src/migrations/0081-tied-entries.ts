import { concurrentIndexes } from '@paddock/database';

const riderName = `(coalesce(case when is_confirmed then rider_name end, U&'\\FFFF') collate "und-x-icu")`;

/**
 * Entries of one number are a list of their own in an order by two fields: they are found along the index of the second one, which
 * tells the number of each.
 */
export const tiedEntries = concurrentIndexes(
	{
		entries_place_order_index: `entries ((coalesce(position, 2147483647)), id)
			include (event_id, status, position, entry_number)`,
		entries_status_order_index:
			'entries (status, id) include (event_id, created_at, updated_at, entry_number)',
		entries_rider_name_order_index: `entries (${riderName}, id)
			include (event_id, status, rider_name, is_confirmed, entry_number)`,
		entries_horse_name_order_index: `entries (horse_name collate "und-x-icu", id)
			include (event_id, status, entry_number)`,
	},
	[],
	['entries_place_index', 'entries_state_index', 'entries_rider_order_index', 'entries_horse_order_index'],
);
