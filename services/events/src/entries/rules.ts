import type { EventRow } from '../database-schema.ts';
import { type EntryStatus, openStatuses, type ShownEntryStatus, unendedStatuses } from '../enumerations.ts';
import type { EventOfEntry } from './store.ts';

/** Transitions from each status, apart from the promotion of a waiting or confirmed entry. */
const steps: Readonly<Record<ShownEntryStatus, readonly EntryStatus[]>> = {
	PENDING_CONFIRMATION: ['WITHDRAWN', 'DECLINED', 'REJECTED', 'CANCELLED'],
	ACCEPTED: ['WITHDRAWN', 'REJECTED', 'CANCELLED'],
	WAITLISTED: ['WITHDRAWN', 'REJECTED', 'CANCELLED'],
	REJECTED: [],
	WITHDRAWN: [],
	DECLINED: [],
	CANCELLED: [],
	EXPIRED: [],
};

/** An entry whose competitions were all cancelled still owes the entry fee, and is withdrawn so that nothing remains due. */
export function allowedSteps(
	from: ShownEntryStatus,
	{ eventIsOver, owes }: { readonly eventIsOver: boolean; readonly owes: boolean },
): readonly EntryStatus[] {
	if (eventIsOver) return [];
	return from === 'CANCELLED' && owes ? ['WITHDRAWN'] : steps[from];
}

export function isOpenStatus(status: ShownEntryStatus): boolean {
	return openStatuses.some((open) => open === status);
}

export function isUnendedStatus(status: ShownEntryStatus): boolean {
	return unendedStatuses.some((unended) => unended === status);
}

/** Whether confirmation is no longer possible: after the entry deadline, and at the latest when the event begins. */
export function isTooLateToConfirm(
	{ entryDeadline, startsAt }: Pick<EventRow, 'entryDeadline' | 'startsAt'>,
	now: Date,
): boolean {
	return now >= startsAt || (entryDeadline !== null && now > entryDeadline);
}

/** Must match `shownEntryStatus` of rights/visibility.ts, the same rule in SQL. */
export function shownEntryStatus(
	stored: EntryStatus,
	event: Omit<EventOfEntry, 'organiserClubId'>,
	now: Date,
): ShownEntryStatus {
	const hasExpired =
		stored === 'PENDING_CONFIRMATION'
			? isTooLateToConfirm(event, now)
			: stored === 'WAITLISTED' && (event.eventStatus === 'COMPLETED' || now >= event.endsAt);
	return hasExpired ? 'EXPIRED' : stored;
}
