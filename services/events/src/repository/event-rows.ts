import { sql } from 'kysely';
import type { EventRow } from '../database-schema.ts';
import { entryWindow } from '../entries/entry-window.ts';
import { eventStatus } from '../event-status.ts';
import type { Event } from '../schemas/event.ts';

/** What a record shows of the rows around it. */
export type EventCounts = Event['counts'];

/** A row with its counts. */
export type CountedEventRow = EventRow & { readonly counts: EventCounts };

/** Selects the counts beside a row of `events`, in the same query. */
export const eventCounts = sql<EventCounts>`(
	select json_build_object(
		'competitions', (select count(*) from competitions where competitions.event_id = events.id),
		'entries', count(*) filter (where entries.is_confirmed),
		'accepted', count(*) filter (where entries.status = 'ACCEPTED'),
		'waitlisted', count(*) filter (where entries.status = 'WAITLISTED')
	)
	from entries where entries.event_id = events.id
)`.as('counts');

/** The instants of a row on which its status depends. */
export function timesOf(row: EventRow) {
	return {
		entriesOpenAt: row.entries_open_at,
		entryDeadline: row.entry_deadline,
		lateEntryUntil: row.late_entry_until,
		startsAt: row.starts_at,
		endsAt: row.ends_at,
	};
}

/** The record as it is at that instant. */
export function toEvent(row: CountedEventRow, now: Date): Event {
	const times = timesOf(row);
	const status = eventStatus(row.status, times, now);
	return {
		id: row.id,
		eventNumber: row.event_number,
		name: row.name,
		description: row.description,
		startDate: row.start_date,
		endDate: row.end_date,
		venueId: row.venue_id,
		organiserClubId: row.organiser_club_id,
		ruleset: row.ruleset,
		category: row.category,
		disciplines: row.disciplines,
		isPublic: row.is_public,
		entriesOpenAt: row.entries_open_at?.toISOString() ?? null,
		entryDeadline: row.entry_deadline?.toISOString() ?? null,
		lateEntryUntil: row.late_entry_until?.toISOString() ?? null,
		maxEntries: row.max_entries,
		fees: {
			entryFee: row.entry_fee,
			lateSurcharge: row.late_surcharge,
			stable: row.stable_fee,
			currency: 'EUR',
		},
		officials: [...row.officials],
		venue: {
			id: row.venue_id,
			name: row.venue_name,
			city: row.venue_city,
			stateCode: row.venue_state_code,
			countryCode: row.venue_country_code,
			timeZone: row.venue_time_zone,
		},
		organiserClubName: row.organiser_club_name,
		status,
		entryWindow: entryWindow({ ...times, storedStatus: row.status }, now),
		cancelledReason: row.cancelled_reason,
		// Entries that waited until the end have expired.
		counts: status === 'COMPLETED' ? { ...row.counts, waitlisted: 0 } : row.counts,
		createdAt: row.created_at.toISOString(),
		updatedAt: row.updated_at.toISOString(),
		version: row.version,
	};
}
