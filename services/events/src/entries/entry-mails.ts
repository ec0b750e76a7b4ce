import type { MailRecipient } from '@paddock/mail';
import type { EntryRow, EventRow, EventsQueryable } from '../database-schema.ts';
import { unendedStatuses } from '../enumerations.ts';
import {
	entriesPromoted,
	entryDeclined,
	entryRejected,
	entrySwapped,
	entryWithdrawn,
} from './entry-texts.ts';
import {
	asRecipients,
	factsOf,
	type MailReason,
	membersOf,
	ridersSide,
	type ToldEntry,
	type ToldEvent,
	tell,
	tellOfEntry,
	toldColumns,
	withAbout,
} from './new-entry-texts.ts';

/** The entries of an event that have not ended, for a mail; only those with a start in the competition if it is given. */
export function listTold(db: EventsQueryable, eventId: string, competitionId?: string): Promise<ToldEntry[]> {
	const unended = db
		.selectFrom('entries')
		.select(toldColumns)
		.where('eventId', '=', eventId)
		.where('status', 'in', unendedStatuses);
	if (competitionId === undefined) return unended.execute();
	const starting = db.selectFrom('starts').select('entryId').where('competitionId', '=', competitionId);
	return unended.where('id', 'in', starting).execute();
}

/** The parties of entries, with the entries that are theirs. Entries of one family name follow each other. */
export function partiesOfEntries(entries: readonly ToldEntry[], now: Date): readonly MailRecipient[] {
	const family = ({ riderName }: ToldEntry) => riderName.split(' ').at(-1) ?? '';
	return entries
		.toSorted((one, other) => (family(one) < family(other) ? -1 : 1))
		.flatMap((entry) =>
			asRecipients(membersOf(entry, now)).map((recipient) => withAbout(recipient, entry, now)),
		);
}

interface EndedEntry extends ToldEntry, Pick<EntryRow, 'enteredBy' | 'status' | 'isHorseConfirmed'> {}

/**
 * Notifies the parties of an ended entry, and of a refused confirmation also the account that made the entry. A side that had
 * not agreed gets no mail about a withdrawal.
 */
export async function tellOfEnd(
	reason: MailReason,
	event: ToldEvent,
	entry: EndedEntry,
	end: { readonly to: 'WITHDRAWN' | 'REJECTED' | 'DECLINED'; readonly reason: string },
): Promise<void> {
	const data = factsOf(event, entry);
	const parties = asRecipients(membersOf(entry, reason.now));
	if (end.to === 'REJECTED')
		await tellOfEntry(reason, entryRejected, { entry, data: { ...data, reason: end.reason } }, parties);
	else if (end.to === 'WITHDRAWN') {
		const agreed = asRecipients(agreedParties(entry, reason.now));
		await tellOfEntry(reason, entryWithdrawn, { entry, data }, agreed);
	} else {
		const recipients = [...parties, { userId: entry.enteredBy }];
		await tellOfEntry(reason, entryDeclined, { entry, data }, recipients);
	}
}

function agreedParties(entry: EndedEntry, now: Date): readonly string[] {
	if (entry.status !== 'PENDING_CONFIRMATION') return membersOf(entry, now);
	if (entry.isConfirmed) return ridersSide(entry, now);
	return entry.isHorseConfirmed ? entry.horseKeeperIds : [];
}

export async function tellOfSwap(
	reason: MailReason,
	event: ToldEvent,
	{ from, to }: { readonly from: ToldEntry; readonly to: ToldEntry },
): Promise<void> {
	const data = { ...factsOf(event, to), formerRider: from.riderName, formerHorse: from.horseName };
	const parties = new Set([from, to].flatMap((entry) => membersOf(entry, reason.now)));
	await tell(reason, entrySwapped, data, asRecipients([...parties]));
}

/** Tells the parties of entries that got their places from the waiting list. */
export async function tellOfPromotion(
	reason: MailReason,
	{ name: eventName, startDate, venueTimeZone: timeZone }: EventRow,
	promoted: readonly ToldEntry[],
	freeUntil: Date,
): Promise<void> {
	const data = { eventName, startDate, freeUntil, timeZone };
	await tell(reason, entriesPromoted, data, partiesOfEntries(promoted, reason.now));
}
