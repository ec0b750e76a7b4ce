import { concurrentIndexes } from '@paddock/database';

/**
 * Entries of each event in the orders by time, of which a list of open entries reads the beginnings; the few that are undecided;
 * those of a club, and frequent filters of events, which are counted from their index alone.
 */
export const orderedEntries = concurrentIndexes(
	{
		entries_event_created_index: 'entries (event_id, created_at, id) include (status)',
		entries_event_updated_index: 'entries (event_id, updated_at, id) include (status)',
		entries_undecided_event_index: `entries (event_id, status) include (id, created_at, updated_at)
			where status in ('WAITLISTED', 'PENDING_CONFIRMATION')`,
		entries_rider_club_created_index: 'entries (rider_club_id, created_at, id) include (event_id, status)',
		events_of_category_index: `events (category, id)
			include (status, is_public, organiser_club_id, ruleset, start_date, end_date)`,
	},
	[],
	[
		'entries_of_event_index',
		// Those of entries_in_doubt_index, with few others.
		'entries_not_rechecked_index',
		'entries_rider_club_id_index',
		'events_category_index',
	],
);
