import { concurrentIndexes } from '@paddock/database';

/** An index for each filter of the list that can be selective, and for the sort by deadline. */
export const eventListIndexes = concurrentIndexes({
	events_entry_deadline_index: "events ((coalesce(entry_deadline, 'infinity')), id)",
	events_status_index: 'events (status, ends_at)',
	events_ruleset_index: 'events (ruleset, start_date)',
	events_venue_state_code_index: 'events (venue_state_code, start_date)',
	events_disciplines_index: 'events using gin (disciplines)',
});
