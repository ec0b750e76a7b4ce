import { concurrentIndexes } from '@paddock/database';

const riderName = `(coalesce(case when is_confirmed then rider_name end, U&'\\FFFF') collate "und-x-icu")`;

/**
 * Entries of one horse name and events of one category are sorted with all other sort fields from their index alone. Entries of one status are
 * found along the names of the riders: behind the id, the status is compared before PostgreSQL looks whether the row is visible.
 */
export const coveredTies = concurrentIndexes(
	{
		entries_by_horse_name_index: `entries (horse_name collate "und-x-icu", id, status)
			include (event_id, entry_number, position, created_at, updated_at, is_confirmed, rider_name)`,
		entries_by_rider_name_index: `entries (${riderName}, id, status)
			include (event_id, entry_number, rider_name, is_confirmed)`,
		events_by_category_index: `events (category, id)
			include (status, approval, is_public, organiser_club_id, ruleset, name, event_number, start_date, end_date, entry_deadline,
				created_at, updated_at)`,
	},
	[],
	['entries_horse_name_order_index', 'entries_rider_name_order_index', 'events_of_category_index'],
);
