import { type RawBuilder, sql } from 'kysely';
import type { EventStatus } from '../enumerations.ts';

// Conditions on a row of `events`, in SQL.

/** `eventStatus` in SQL, over a row of `events`. */
export function shownStatus(now: Date): RawBuilder<EventStatus> {
	return sql<EventStatus>`
		case
			when events.status = 'DRAFT' then coalesce(events.approval, 'DRAFT')
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
