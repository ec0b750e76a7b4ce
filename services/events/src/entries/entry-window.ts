import { timeInVienna } from '@paddock/calendar';
import { type EntryCheck, errorCheck } from './entry-check.ts';
import type { EntryFacts } from './entry-facts.ts';
import type { EntryType } from './entry-status.ts';

/** The data of an event that decides whether it accepts entries. */
export interface EntryTimes {
	readonly storedStatus: 'DRAFT' | 'PUBLISHED' | 'COMPLETED' | 'CANCELLED';
	/** Null: entries open with the publication. */
	readonly entriesOpenAt: Date | null;
	readonly entryDeadline: Date | null;
	/** Null: no late entries. */
	readonly lateEntryUntil: Date | null;
}

/** REGULAR: open to all; LATE: organiser only, with the surcharge. */
export const entryWindows = ['NOT_YET', 'REGULAR', 'LATE', 'CLOSED'] as const;

export type EntryWindow = (typeof entryWindows)[number];

/** The entry window at that instant. Deadlines are inclusive: 23:59 means up to 23:59:00. */
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

type WindowFacts = Pick<EntryFacts, 'event' | 'type' | 'byOrganiser' | 'now'>;

/** The type of an entry: the requested one, otherwise the one of the current entry window. */
export function entryTypeOf({ event, type, now }: Pick<EntryFacts, 'event' | 'type' | 'now'>): EntryType {
	return type ?? (entryWindow(event, now) === 'LATE' ? 'LATE' : 'REGULAR');
}

/** Checks whether the event accepts an entry of this type from this caller now. */
export function checkWindow(facts: WindowFacts): readonly EntryCheck[] {
	const { event, byOrganiser, now } = facts;
	const type = entryTypeOf(facts);
	switch (entryWindow(event, now)) {
		case 'NOT_YET':
			return [notOpen(notYetText(event.entriesOpenAt))];
		case 'REGULAR':
			return type === 'REGULAR' ? [] : [notOpen(lateTooEarlyText(event.entryDeadline))];
		case 'LATE':
			if (!byOrganiser) return [errorCheck('EVENT', 'LATE_ONLY_BY_ORGANISER', lateText(event))];
			return type === 'LATE' ? [] : [notOpen(closedText(event.entryDeadline))];
		case 'CLOSED':
			return [notOpen(event.storedStatus === 'PUBLISHED' ? closedText(lastChance(event)) : overText(event))];
	}
}

function notOpen(message: string): EntryCheck {
	return errorCheck('EVENT', 'EVENT_NOT_OPEN', message);
}

function lastChance({ entryDeadline, lateEntryUntil }: EntryFacts['event']): Date | null {
	return lateEntryUntil ?? entryDeadline;
}

function notYetText(entriesOpenAt: Date | null): string {
	return entriesOpenAt === null
		? 'The event takes no entries yet.'
		: `The event takes entries from ${timeInVienna(entriesOpenAt)}.`;
}

function lateTooEarlyText(entryDeadline: Date | null): string {
	return entryDeadline === null
		? 'The event takes no late entries.'
		: `Late entries begin after ${timeInVienna(entryDeadline)}; until then an entry costs no surcharge.`;
}

function lateText({ entryDeadline, lateEntryUntil }: EntryFacts['event']): string {
	const closed = closedText(entryDeadline);
	if (lateEntryUntil === null) return closed;
	return `${closed} Late entries are made by the organiser, until ${timeInVienna(lateEntryUntil)}.`;
}

function closedText(at: Date | null): string {
	return at === null ? 'The event takes no more entries.' : `Entries closed on ${timeInVienna(at)}.`;
}

function overText({ storedStatus }: EntryFacts['event']): string {
	return storedStatus === 'CANCELLED' ? 'The event has been cancelled.' : 'The event is over.';
}
