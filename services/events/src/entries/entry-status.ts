import type { StoredStatus } from '../event-status.ts';

/**
 * Stored statuses. An entry is decided when it is created: ACCEPTED or WAITLISTED. PENDING_CONFIRMATION is the
 * exception: the caller did not act for both rider and horse, and the entry has no place, no position and no amount due
 * before the missing side confirms. DECLINED: that side refused it. SUBMITTED is reserved for entries that wait for a
 * decision of the organiser; it is not in use.
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

/**
 * Effective statuses. EXPIRED is derived from the clock: the entry was not confirmed in time, or stayed on the waiting
 * list to the end of the event.
 */
export const shownEntryStatuses = [...entryStatuses, 'EXPIRED'] as const;

export type ShownEntryStatus = (typeof shownEntryStatuses)[number];

export const entryTypes = ['REGULAR', 'LATE'] as const;

export type EntryType = (typeof entryTypes)[number];

/** Transitions from each status, apart from the promotion of a waiting or confirmed entry. */
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

/** Transitions that users may trigger; none once the event is over. */
export function allowedSteps(from: ShownEntryStatus, eventIsOver: boolean): readonly EntryStatus[] {
	return eventIsOver ? [] : steps[from];
}

/**
 * Statuses that hold a place or wait for one: they count for the limits and block the deletion of rider and horse. An
 * unconfirmed entry does not count; otherwise it would block the horse or rider of others.
 */
export const openStatuses = ['SUBMITTED', 'ACCEPTED', 'WAITLISTED'] as const satisfies readonly EntryStatus[];

export function isOpenStatus(status: ShownEntryStatus): boolean {
	return openStatuses.some((open) => open === status);
}

/** Statuses that end with their event or competition. */
export const unendedStatuses = [
	...openStatuses,
	'PENDING_CONFIRMATION',
] as const satisfies readonly EntryStatus[];

export function isUnendedStatus(status: ShownEntryStatus): boolean {
	return unendedStatuses.some((unended) => unended === status);
}

/** The instants of an event at which unconfirmed entries expire. */
export interface ConfirmationTimes {
	readonly entryDeadline: Date | null;
	/** The first instant of the first day at the venue. */
	readonly startsAt: Date;
}

/** Whether confirmation is no longer possible: after the entry deadline, and at the latest when the event begins. */
export function isTooLateToConfirm({ entryDeadline, startsAt }: ConfirmationTimes, now: Date): boolean {
	return now >= startsAt || (entryDeadline !== null && now > entryDeadline);
}

/** The data of the event that makes an entry expire. */
export interface EntryEventTimes extends ConfirmationTimes {
	/** The first instant after the last day at the venue. */
	readonly endsAt: Date;
	readonly storedStatus: StoredStatus;
}

/** Must match `shownEntryStatus` in the repository, the same rule in SQL. */
export function shownEntryStatus(stored: EntryStatus, times: EntryEventTimes, now: Date): ShownEntryStatus {
	if (stored === 'PENDING_CONFIRMATION') return isTooLateToConfirm(times, now) ? 'EXPIRED' : stored;
	if (stored === 'WAITLISTED') return isOver(times, now) ? 'EXPIRED' : stored;
	return stored;
}

function isOver({ endsAt, storedStatus }: EntryEventTimes, now: Date): boolean {
	return storedStatus === 'COMPLETED' || now >= endsAt;
}
