import type { EventRow } from '../database-schema.ts';
import type { EntryWindow, EventStatus, EventStep, StoredStatus } from '../enumerations.ts';
import { eventsError } from '../errors.ts';

/** The data of an event that decides whether it accepts entries. */
export type EntryTimes = Pick<EventRow, 'status' | 'entriesOpenAt' | 'entryDeadline' | 'lateEntryUntil'>;

/** The data of an event on which its effective status depends. */
type EventTimes = EntryTimes & Pick<EventRow, 'startsAt' | 'endsAt'>;

/** The entry window at that instant. Deadlines are inclusive: 23:59 means up to 23:59:00. */
export function entryWindow(
	{ status, entriesOpenAt, entryDeadline, lateEntryUntil }: EntryTimes,
	now: Date,
): EntryWindow {
	if (status === 'DRAFT') return 'NOT_YET';
	if (status !== 'PUBLISHED') return 'CLOSED';
	if (entriesOpenAt !== null && now < entriesOpenAt) return 'NOT_YET';
	if (entryDeadline !== null && now <= entryDeadline) return 'REGULAR';
	return lateEntryUntil !== null && now <= lateEntryUntil ? 'LATE' : 'CLOSED';
}

/**
 * The effective status. A published event is COMPLETED after its last day, even without the step, and IN_PROGRESS once
 * it has begun, even if its entries are still open. Must match `shownStatus`, the same rule in SQL.
 */
export function eventStatus(event: EventTimes, now: Date): EventStatus {
	if (event.status !== 'PUBLISHED') return event.status;
	if (now >= event.endsAt) return 'COMPLETED';
	if (now >= event.startsAt) return 'IN_PROGRESS';
	const window = entryWindow(event, now);
	if (window === 'NOT_YET') return 'PUBLISHED';
	return window === 'REGULAR' ? 'REGISTRATION_OPEN' : 'REGISTRATION_CLOSED';
}

/** Whether the event is completed or cancelled, by a step or by its last day. */
export function isOver(event: EventTimes, now: Date): boolean {
	return ['COMPLETED', 'CANCELLED'].includes(eventStatus(event, now));
}

const stepsFrom: Readonly<Record<EventStatus, readonly EventStep[]>> = {
	DRAFT: ['PUBLISHED'],
	PUBLISHED: ['CANCELLED'],
	REGISTRATION_OPEN: ['CANCELLED'],
	REGISTRATION_CLOSED: ['CANCELLED'],
	IN_PROGRESS: ['COMPLETED', 'CANCELLED'],
	COMPLETED: [],
	CANCELLED: [],
};

/**
 * Permitted steps. An event whose last day is over is shown as COMPLETED and can still be completed, which records that
 * it took place; it can no longer be cancelled.
 */
export function allowedSteps(stored: StoredStatus, shown: EventStatus): readonly EventStep[] {
	return shown === 'COMPLETED' && stored === 'PUBLISHED' ? ['COMPLETED'] : stepsFrom[shown];
}

/** @throws ApiError ILLEGAL_STATE_TRANSITION with from, to and allowed. */
export function requireStep(to: EventStep, event: EventTimes, now: Date): void {
	const from = eventStatus(event, now);
	const allowed = allowedSteps(event.status, from);
	if (!allowed.includes(to))
		throw eventsError('ILLEGAL_STATE_TRANSITION', { context: { from, to, allowed } });
}
