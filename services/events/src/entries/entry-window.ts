/** What of an event decides whether entries are taken. */
export interface EntryTimes {
	readonly storedStatus: 'DRAFT' | 'PUBLISHED' | 'COMPLETED' | 'CANCELLED';
	/** Null: from the publication on. */
	readonly entriesOpenAt: Date | null;
	readonly entryDeadline: Date | null;
	/** Null: no late entries. */
	readonly lateEntryUntil: Date | null;
}

/** REGULAR: for everybody; LATE: by the organiser and with the surcharge. */
export const entryWindows = ['NOT_YET', 'REGULAR', 'LATE', 'CLOSED'] as const;

export type EntryWindow = (typeof entryWindows)[number];

/** Which entries the event takes at that instant. The instants themselves are still in time: 23:59 means until 23:59:00. */
export function entryWindow(
	{ storedStatus, entriesOpenAt, entryDeadline, lateEntryUntil }: EntryTimes,
	now: Date,
): EntryWindow {
	if (storedStatus === 'DRAFT') return 'NOT_YET';
	if (storedStatus !== 'PUBLISHED') return 'CLOSED';
	if (entriesOpenAt !== null && now < entriesOpenAt) return 'NOT_YET';
	if (entryDeadline !== null && now <= entryDeadline) return 'REGULAR';
	return lateEntryUntil !== null && now <= lateEntryUntil ? 'LATE' : 'CLOSED';
}
