import type { Principal } from '@paddock/identity';
import { type RawBuilder, sql } from 'kysely';
import { managedClubs } from '../event-access.ts';
import type { EventStatus } from '../event-status.ts';

/**
 * Selects the rows of `events` that the caller may see: published ones, non-public ones only when signed in, and all
 * events of the clubs that the caller manages.
 */
export function visibleTo(principal: Principal | undefined): RawBuilder<boolean> {
	const clubs = managedClubs(principal);
	if (clubs === 'all') return sql<boolean>`true`;
	const published = sql<boolean>`(events.status <> 'DRAFT' and (events.is_public or ${principal !== undefined}))`;
	if (clubs.length === 0) return published;
	return sql<boolean>`(${published} or events.organiser_club_id = any (${[...clubs]}::uuid[]))`;
}

/** `eventStatus` in SQL, over a row of `events`. */
export function shownStatus(now: Date): RawBuilder<EventStatus> {
	return sql<EventStatus>`
		case
			when events.status <> 'PUBLISHED' then events.status
			when events.ends_at <= ${now} then 'COMPLETED'
			when events.starts_at <= ${now} then 'IN_PROGRESS'
			when events.entries_open_at > ${now} then 'PUBLISHED'
			when events.entry_deadline >= ${now} then 'REGISTRATION_OPEN'
			else 'REGISTRATION_CLOSED'
		end`;
}

/** Whether the regular entry window is open at that instant: REGULAR of `entryWindow`, in SQL. */
export function openForEntry(now: Date): RawBuilder<boolean> {
	return sql<boolean>`(
		events.status = 'PUBLISHED' and events.ends_at > ${now} and events.entry_deadline >= ${now}
		and (events.entries_open_at is null or events.entries_open_at <= ${now})
	)`;
}
