import { concurrentIndexes } from '@paddock/database';

/**
 * Entries of events that are not over, and those that have changed recently: more than are counted, they are sorted by their times
 * from these indexes alone, since they are at the end of the indexes of these times. Entries that expire by the clock.
 *
 * Each search reads the entries that its index has not taken over yet, so these are kept few.
 */
export const countedLists = concurrentIndexes(
	{
		entries_of_event_index: 'entries (event_id, status) include (id, created_at, updated_at)',
		entries_since_index: 'entries (updated_at, id) include (created_at)',
		entries_undecided_index: `entries (created_at, id) include (event_id, status)
			where status in ('WAITLISTED', 'PENDING_CONFIRMATION')`,
		entries_text_index: 'entries using gin (search_text gin_trgm_ops) with (gin_pending_list_limit = 64)',
	},
	[],
	['entries_event_id_status_index', 'entries_changed_index', 'entries_search_text_index'],
);
