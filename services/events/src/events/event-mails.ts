import type { CompetitionRow, EventRow } from '../database-schema.ts';
import { listTold, partiesOfEntries } from '../entries/entry-mails.ts';
import { type MailReason, type ToldEntry, tell } from '../entries/new-entry-texts.ts';
import {
	competitionCancelled,
	competitionRescheduled,
	entryDeadlineChanged,
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

/**
 * Notifies the organiser and the parties of all entries that have not ended of other days, or another entry deadline, of a
 * published event.
 * @param freeUntil undefined if no competition was moved
 */
export async function tellOfMove(
	reason: MailReason,
	{ from, to: event }: { readonly from: EventRow; readonly to: EventRow },
	freeUntil?: Date,
): Promise<void> {
	const untilOf = ({ entryDeadline, startsAt }: EventRow) => entryDeadline ?? startsAt;
	const isMoved =
		freeUntil !== undefined || from.startDate !== event.startDate || from.endDate !== event.endDate;
	const isDeadlineMoved = from.entryDeadline?.getTime() !== event.entryDeadline?.getTime();
	if (event.status !== 'PUBLISHED' || (!isMoved && !isDeadlineMoved)) return;
	const entries = await listTold(reason.db, event.id);
	const recipients = [managersOf(event), ...partiesOfEntries(entries, reason.now)];
	const deadline = { ...factsOf(event), until: untilOf(event), timeZone: event.venueTimeZone };
	if (!isMoved) {
		const data = { ...deadline, formerUntil: untilOf(from) };
		await tell(reason, entryDeadlineChanged, data, recipients);
		return;
	}
	const former = { formerDate: from.startDate, formerEndDate: from.endDate };
	await tell(
		reason,
		eventRescheduled,
		{ ...deadline, ...former, endDate: event.endDate, freeUntil },
		recipients,
	);
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

/** Notifies the parties of its entries that a competition of a published event is on another day. */
export async function tellOfMovedCompetition(
	reason: MailReason,
	event: EventRow,
	move: {
		readonly from: Pick<CompetitionRow, 'date'>;
		readonly to: Pick<CompetitionRow, 'id' | 'number' | 'name' | 'date'>;
		readonly freeUntil: Date;
	},
): Promise<void> {
	if (event.status !== 'PUBLISHED') return;
	const { to, from, freeUntil } = move;
	const entries = await listTold(reason.db, event.id, to.id);
	const days = { date: to.date, formerDate: from.date, freeUntil, timeZone: event.venueTimeZone };
	const data = { ...factsOf(event), ...days, competition: `${to.number} ${to.name}` };
	await tell(reason, competitionRescheduled, data, partiesOfEntries(entries, reason.now));
}
