import { concurrentIndexes } from '@paddock/database';

const riderName = `(coalesce(case when is_confirmed then rider_name end, U&'\\FFFF') collate "und-x-icu")`;

/**
 * Each order of entries with event and status, by which lists filter: where few match, a page passes many entries, and each is on
 * another page of the table. Behind an expression, PostgreSQL reads its columns too. The events in their usual order, with all that they are filtered by. The numbers of entries of an event.
 *
 * Only pages of the table that have been vacuumed since their last change are left unread.
 */
export const listsFromIndexes = concurrentIndexes(
	{
		entries_creation_index: 'entries (created_at, id) include (event_id, status, entry_number)',
		entries_change_index: 'entries (updated_at, id) include (event_id, status, entry_number, created_at)',
		entries_number_index: 'entries (entry_number, id) include (event_id, status)',
		entries_place_index:
			'entries ((coalesce(position, 2147483647)), id) include (event_id, status, position)',
		entries_state_index: 'entries (status, id) include (event_id, created_at, updated_at)',
		entries_rider_order_index: `entries (${riderName}, id) include (event_id, status, rider_name, is_confirmed)`,
		entries_horse_order_index: 'entries (horse_name collate "und-x-icu", id) include (event_id, status)',
		entries_event_creation_index: 'entries (event_id, created_at, id) include (status, is_confirmed)',
		events_start_index: `events (start_date, id) include (end_date, status, approval, is_public, organiser_club_id, ruleset,
			category, disciplines, starts_at, ends_at, entries_open_at, entry_deadline)`,
	},
	['events', 'entries'].map(
		(table) =>
			`alter table ${table} set (autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_insert_scale_factor = 0.02)`,
	),
	[
		'entries_created_at_index',
		'entries_since_index',
		'entries_entry_number_index',
		'entries_position_index',
		'entries_status_index',
		'entries_rider_name_index',
		'entries_horse_name_index',
		'entries_event_created_index',
		'events_start_date_index',
	],
);
