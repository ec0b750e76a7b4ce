/**
 * An entry is decided in the moment in which it is made: ACCEPTED or WAITLISTED. SUBMITTED is the domain's word for one
 * that waits for a decision; none does here, so it is never seen.
 */
export const entryStatuses = [
	'SUBMITTED',
	'ACCEPTED',
	'WAITLISTED',
	'REJECTED',
	'WITHDRAWN',
	'CANCELLED',
] as const;

export type EntryStatus = (typeof entryStatuses)[number];

export const entryTypes = ['REGULAR', 'LATE'] as const;

export type EntryType = (typeof entryTypes)[number];

/** What an entry may become from each status, besides the place that a waiting one gets. */
const steps: Readonly<Record<EntryStatus, readonly EntryStatus[]>> = {
	SUBMITTED: ['WITHDRAWN', 'REJECTED', 'CANCELLED'],
	ACCEPTED: ['WITHDRAWN', 'REJECTED', 'CANCELLED'],
	WAITLISTED: ['WITHDRAWN', 'REJECTED', 'CANCELLED'],
	REJECTED: [],
	WITHDRAWN: [],
	CANCELLED: [],
};

/** What an entry may become by what people do; nothing once its event is over. */
export function allowedSteps(from: EntryStatus, eventIsOver: boolean): readonly EntryStatus[] {
	return eventIsOver ? [] : steps[from];
}

/** Those that hold a place or wait for one: they count for the limits and stand in the way of deleting rider and horse. */
export const openStatuses = ['SUBMITTED', 'ACCEPTED', 'WAITLISTED'] as const satisfies readonly EntryStatus[];

export function isOpenStatus(status: EntryStatus): boolean {
	return openStatuses.some((open) => open === status);
}
