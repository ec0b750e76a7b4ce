import type { EventRow } from '../database-schema.ts';
import { partiesOfEntries } from '../entries/entry-mails.ts';
import { type MailReason, type ToldEntry, tell } from '../entries/new-entry-texts.ts';
import {
	competitionCancelled,
	eventCancelled,
	eventPublished,
	eventRescheduled,
	eventReturned,
} from './event-texts.ts';

const factsOf = ({ name, startDate }: Pick<EventRow, 'name' | 'startDate'>) => ({
	eventName: name,
	startDate,
});

export const managersOf = ({ organiserClubId }: Pick<EventRow, 'organiserClubId'>) => ({
	clubId: organiserClubId,
});

export function tellOfReturn(reason: MailReason, event: EventRow, remarks: string): Promise<void> {
	return tell(reason, eventReturned, { ...factsOf(event), remarks }, [managersOf(event)]);
}

export function tellOfPublication(reason: MailReason, event: EventRow): Promise<void> {
	const { entryDeadline, startsAt, venueTimeZone: timeZone } = event;
	const data = { ...factsOf(event), until: entryDeadline ?? startsAt, timeZone };
	return tell(reason, eventPublished, data, [managersOf(event)]);
}

/** Tells the organiser and the parties of the entries that were cancelled with the event. */
export function tellOfCancellation(
	reason: MailReason,
	event: EventRow,
	{ reason: why, entries }: { readonly reason: string; readonly entries: readonly ToldEntry[] },
): Promise<void> {
	const recipients = [managersOf(event), ...partiesOfEntries(entries, reason.now)];
	return tell(reason, eventCancelled, { ...factsOf(event), reason: why }, recipients);
}

/** Tells the organiser and the parties of all entries that have not ended. */
export function tellOfMove(
	reason: MailReason,
	event: EventRow,
	move: { readonly formerDate: string; readonly freeUntil: Date; readonly entries: readonly ToldEntry[] },
): Promise<void> {
	const { entryDeadline, startsAt, endDate, venueTimeZone: timeZone } = event;
	const { formerDate, freeUntil, entries } = move;
	const until = entryDeadline ?? startsAt;
	const data = { ...factsOf(event), endDate, until, timeZone, formerDate, freeUntil };
	return tell(reason, eventRescheduled, data, [managersOf(event), ...partiesOfEntries(entries, reason.now)]);
}

export function tellOfCancelledCompetition(
	reason: MailReason,
	event: EventRow,
	{
		number,
		name,
		entries,
	}: { readonly number: number; readonly name: string; readonly entries: readonly ToldEntry[] },
): Promise<void> {
	const data = { ...factsOf(event), competition: `${number} ${name}` };
	return tell(reason, competitionCancelled, data, partiesOfEntries(entries, reason.now));
}
