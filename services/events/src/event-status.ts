import type { EventRow } from './database-schema.ts';
import { entryWindow } from './entries/entry-window.ts';

/** Stored statuses, changed by explicit steps. */
export const storedStatuses = ['DRAFT', 'PUBLISHED', 'COMPLETED', 'CANCELLED'] as const;

export type StoredStatus = (typeof storedStatuses)[number];

/** Effective statuses, derived from the stored one and the clock, so that entries close without a step. */
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
	/** Null = entries open with the publication. */
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
 * The effective status. A published event is COMPLETED after its last day, even without the step, and IN_PROGRESS once
 * it has begun, even if its entries are still open. Must match `shownStatus`, the same rule in SQL.
 */
export function eventStatus(stored: StoredStatus, times: EventTimes, now: Date): EventStatus {
	if (stored !== 'PUBLISHED') return stored;
	if (now >= times.endsAt) return 'COMPLETED';
	if (now >= times.startsAt) return 'IN_PROGRESS';
	const window = entryWindow({ ...times, storedStatus: stored }, now);
	if (window === 'NOT_YET') return 'PUBLISHED';
	return window === 'REGULAR' ? 'REGISTRATION_OPEN' : 'REGISTRATION_CLOSED';
}
