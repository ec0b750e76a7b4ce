import type { StoredStatus } from '../event-status.ts';

/**
 * What is stored. An entry is decided in the moment in which it is made: ACCEPTED or WAITLISTED. PENDING_CONFIRMATION is
 * the exception: the caller didn't act for both rider and horse, and until the missing side confirms it has no place, no
 * position and no amount due. DECLINED: that side refused it. SUBMITTED is reserved for entries that wait for a decision of
 * the organiser; there are none.
 */
export const entryStatuses = [
	'SUBMITTED',
	'PENDING_CONFIRMATION',
	'ACCEPTED',
	'WAITLISTED',
	'REJECTED',
	'WITHDRAWN',
	'DECLINED',
	'CANCELLED',
] as const;

export type EntryStatus = (typeof entryStatuses)[number];

/** What is shown: EXPIRED follows from the clock, for an entry that was not confirmed in time, or that waited until the event's end. */
export const shownEntryStatuses = [...entryStatuses, 'EXPIRED'] as const;

export type ShownEntryStatus = (typeof shownEntryStatuses)[number];

export const entryTypes = ['REGULAR', 'LATE'] as const;

export type EntryType = (typeof entryTypes)[number];

/** What an entry may become from each status, besides the place that a waiting or a confirmed one gets. */
const steps: Readonly<Record<ShownEntryStatus, readonly EntryStatus[]>> = {
	SUBMITTED: ['WITHDRAWN', 'REJECTED', 'CANCELLED'],
	PENDING_CONFIRMATION: ['WITHDRAWN', 'DECLINED', 'REJECTED', 'CANCELLED'],
	ACCEPTED: ['WITHDRAWN', 'REJECTED', 'CANCELLED'],
	WAITLISTED: ['WITHDRAWN', 'REJECTED', 'CANCELLED'],
	REJECTED: [],
	WITHDRAWN: [],
	DECLINED: [],
	CANCELLED: [],
	EXPIRED: [],
};

/** What an entry may become by what people do; nothing once its event is over. */
export function allowedSteps(from: ShownEntryStatus, eventIsOver: boolean): readonly EntryStatus[] {
	return eventIsOver ? [] : steps[from];
}

/**
 * Those that hold a place or wait for one: they count for the limits and stand in the way of deleting rider and horse.
 * An unconfirmed entry does not count, or it would block a horse or rider of others.
 */
export const openStatuses = ['SUBMITTED', 'ACCEPTED', 'WAITLISTED'] as const satisfies readonly EntryStatus[];

export function isOpenStatus(status: ShownEntryStatus): boolean {
	return openStatuses.some((open) => open === status);
}

/** Those that end with their event or competition. */
export const unendedStatuses = [
	...openStatuses,
	'PENDING_CONFIRMATION',
] as const satisfies readonly EntryStatus[];

export function isUnendedStatus(status: ShownEntryStatus): boolean {
	return unendedStatuses.some((unended) => unended === status);
}

/** The instants of an event that end what was not confirmed. */
export interface ConfirmationTimes {
	readonly entryDeadline: Date | null;
	/** The first instant of the first day at the venue. */
	readonly startsAt: Date;
}

/** Confirmations are accepted until the entry deadline, and no longer than until the event begins. */
export function isTooLateToConfirm({ entryDeadline, startsAt }: ConfirmationTimes, now: Date): boolean {
	return now >= startsAt || (entryDeadline !== null && now > entryDeadline);
}

/** What of its event ends an entry without a decision. */
export interface EntryEventTimes extends ConfirmationTimes {
	/** The first instant after the last day at the venue. */
	readonly endsAt: Date;
	readonly storedStatus: StoredStatus;
}

/** SQL says the same in `shownEntryStatus` of the repository. */
export function shownEntryStatus(stored: EntryStatus, times: EntryEventTimes, now: Date): ShownEntryStatus {
	if (stored === 'PENDING_CONFIRMATION') return isTooLateToConfirm(times, now) ? 'EXPIRED' : stored;
	if (stored === 'WAITLISTED') return isOver(times, now) ? 'EXPIRED' : stored;
	return stored;
}

function isOver({ endsAt, storedStatus }: EntryEventTimes, now: Date): boolean {
	return storedStatus === 'COMPLETED' || now >= endsAt;
}
