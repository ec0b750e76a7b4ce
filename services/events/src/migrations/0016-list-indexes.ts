import { concurrentIndexes } from '@paddock/database';

/** An index for each sort of the lists, for the filters by venue and club, and for references of other contexts. */
export const listIndexes = concurrentIndexes({
	events_name_index: 'events (name collate "und-x-icu", id)',
	events_end_date_index: 'events (end_date, id)',
	events_category_index: 'events (category, id)',
	events_ends_at_index: 'events (ends_at)',
	events_starts_at_index: 'events (starts_at)',
	events_venue_id_index: 'events (venue_id)',
	events_changed_index: 'events (updated_at, id)',
	competitions_arena_id_index: 'competitions (arena_id) where arena_id is not null',
	entries_created_at_index: 'entries (created_at, id)',
	entries_changed_index: 'entries (updated_at, id)',
	entries_entry_number_index: 'entries (entry_number, id)',
	entries_position_index: 'entries ((coalesce(position, 2147483647)), id)',
	entries_status_index: 'entries (status, id)',
	entries_rider_name_index: `entries ((coalesce(case when is_confirmed then rider_name end, U&'\\FFFF') collate "und-x-icu"), id)`,
	entries_horse_name_index: 'entries (horse_name collate "und-x-icu", id)',
	entries_horse_club_id_index: 'entries (horse_club_id)',
	entries_rider_nation_index: 'entries (rider_nation)',
	entries_not_rechecked_index: `entries (event_id) where checks @> '[{"code": "NOT_RECHECKED"}]'`,
});
