import type { EventRow } from './database-schema.ts';
import { entryWindow } from './entries/entry-window.ts';

/** The stored status, changed by explicit steps. */
export const storedStatuses = ['DRAFT', 'PUBLISHED', 'COMPLETED', 'CANCELLED'] as const;

export type StoredStatus = (typeof storedStatuses)[number];

/** The shown status: the stored one and the clock, so that entries close without a step. */
export const eventStatuses = [
	'DRAFT',
	'PUBLISHED',
	'REGISTRATION_OPEN',
	'REGISTRATION_CLOSED',
	'IN_PROGRESS',
	'COMPLETED',
	'CANCELLED',
] as const;

export type EventStatus = (typeof eventStatuses)[number];

/** The instants on which the status depends. */
export interface EventTimes {
	/** Null = from the publication on. */
	readonly entriesOpenAt: Date | null;
	readonly entryDeadline: Date | null;
	/** Null = no late entries. */
	readonly lateEntryUntil: Date | null;
	/** The first instant of the first day at the venue. */
	readonly startsAt: Date;
	/** The first instant after the last day at the venue. */
	readonly endsAt: Date;
}

/** The instants of a row on which its status depends. */
export function timesOf(row: EventRow): EventTimes {
	return {
		entriesOpenAt: row.entries_open_at,
		entryDeadline: row.entry_deadline,
		lateEntryUntil: row.late_entry_until,
		startsAt: row.starts_at,
		endsAt: row.ends_at,
	};
}

/**
 * The status that is shown. A published event is over when its last day is over, whether or not it was
 * completed, and once it has begun it is in progress, whether or not its entries are closed. SQL says the same in
 * `shownStatus`.
 */
export function eventStatus(stored: StoredStatus, times: EventTimes, now: Date): EventStatus {
	if (stored !== 'PUBLISHED') return stored;
	if (now >= times.endsAt) return 'COMPLETED';
	if (now >= times.startsAt) return 'IN_PROGRESS';
	const window = entryWindow({ ...times, storedStatus: stored }, now);
	if (window === 'NOT_YET') return 'PUBLISHED';
	return window === 'REGULAR' ? 'REGISTRATION_OPEN' : 'REGISTRATION_CLOSED';
}
