import { concurrentIndexes } from '@paddock/database';

/**
 * Of entries that have changed since an instant, those created before it are few: `created_at` is a key, which is compared without a look
 * at the visibility of each. The undecided entries of an event, with all that they are sorted by.
 */
export const entriesByTime = concurrentIndexes(
	{
		entries_by_creation_index:
			'entries (created_at, id) include (event_id, status, entry_number, updated_at)',
		entries_by_change_index: 'entries (updated_at, id, created_at) include (event_id, status, entry_number)',
		entries_undecided_list_index: `entries (event_id, status)
			include (id, created_at, updated_at, entry_number, position, rider_name, is_confirmed, horse_name)
			where status in ('WAITLISTED', 'PENDING_CONFIRMATION')`,
	},
	[],
	['entries_creation_index', 'entries_change_index', 'entries_undecided_event_index'],
);
