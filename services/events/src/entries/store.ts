import { apiError } from '@paddock/contract';
import { changedAt } from '@paddock/database';
import { type Selectable, sql } from 'kysely';
import type {
	EntryCheck,
	EntryRow,
	EventRow,
	EventsQueryable,
	EventsSchema,
	NewEntryRow,
	NewStartRow,
} from '../database-schema.ts';
import { type EntryStatus, unendedStatuses } from '../enumerations.ts';

/** A start selected together with its entry. */
type SelectedStart = Pick<Selectable<EventsSchema['starts']>, 'competitionId' | 'status' | 'startFee'>;

/** Columns of the event that an entry shows. */
const eventColumns = ['organiserClubId', 'entryDeadline', 'startsAt', 'endsAt'] as const;

/** Data of the event that an entry shows. */
export type EventOfEntry = Pick<EventRow, (typeof eventColumns)[number]> & {
	readonly eventStatus: EventRow['status'];
};

/** An entry row with its starts and the data of its event. */
export type FullEntryRow = EntryRow & EventOfEntry & { readonly starts: readonly SelectedStart[] };

/** Picks the data of an event row that an entry shows. */
export function eventOfEntry(event: EventRow): EventOfEntry {
	const { organiserClubId, entryDeadline, startsAt, endsAt, status: eventStatus } = event;
	return { organiserClubId, entryDeadline, startsAt, endsAt, eventStatus };
}

/** Selects the starts of an `entries` row in the same query, by competition number. */
const starts = sql<readonly SelectedStart[]>`(
	select coalesce(json_agg(json_build_object(
		'competitionId', starts.competition_id, 'status', starts.status, 'startFee', starts.start_fee
	) order by competitions.number), '[]')
	from starts join competitions on competitions.id = starts.competition_id
	where starts.entry_id = entries.id
)`.as('starts');

/** Entries with their starts and the data of their events. */
export function selectEntries(db: EventsQueryable) {
	return db
		.selectFrom('entries')
		.innerJoin('events', 'events.id', 'entries.eventId')
		.selectAll('entries')
		.select(eventColumns.map((column) => `events.${column}` as const))
		.select('events.status as eventStatus')
		.select(starts);
}

/** The same error for an unknown entry and for one that does not concern the caller. */
export const noSuchEntry = () => apiError('NOT_FOUND', { message: 'There is no such entry at this event.' });

/** @throws ApiError NOT_FOUND, also if the entry belongs to another event. */
export function getEntryRow(
	db: EventsQueryable,
	{ id, entryId }: { readonly id: string; readonly entryId: string },
): Promise<FullEntryRow> {
	return selectEntries(db)
		.where('entries.eventId', '=', id)
		.where('entries.id', '=', entryId)
		.executeTakeFirstOrThrow(noSuchEntry);
}

/** Needs the lock on the event. `starts` in the order of the competitions' numbers. */
export async function insertEntry(
	db: EventsQueryable,
	entry: NewEntryRow,
	startsOfIt: readonly Pick<NewStartRow, 'competitionId' | 'startFee'>[],
): Promise<EntryRow & Pick<FullEntryRow, 'starts'>> {
	const row = await db.insertInto('entries').values(entry).returningAll().executeTakeFirstOrThrow();
	const { id: entryId, status, horseId, riderMemberId } = row;
	const rows = startsOfIt.map((start) => ({ ...start, entryId, status, horseId, riderMemberId }));
	await db.insertInto('starts').values(rows).execute();
	return { ...row, starts: startsOfIt.map((start) => ({ ...start, status })) };
}

/** Final state of an entry. */
interface Ending {
	readonly status: Exclude<EntryStatus, (typeof unendedStatuses)[number]>;
	readonly reason: string | null;
	/** Cents. */
	readonly amountDue: number;
}

/** Ends an entry and frees its places. Needs the lock on the event. */
export async function endEntry(
	db: EventsQueryable,
	entryId: string,
	{ status, reason, amountDue }: Ending,
	now: Date,
): Promise<void> {
	await db
		.updateTable('entries')
		.set({ status, statusReason: reason, position: null, amountDue, ...changedAt(now) })
		.where('id', '=', entryId)
		.execute();
	await db
		.updateTable('starts')
		.set({ status })
		.where('entryId', '=', entryId)
		.where('status', 'in', unendedStatuses)
		.execute();
}

/** The columns that a confirmation sets, as if the entry were created now, with its number kept. */
export type ConfirmedEntry = Omit<
	NewEntryRow,
	'eventId' | 'entryNumber' | 'enteredBy' | 'createdAt' | 'statusReason'
>;

/** Stores the confirmed entry with the current start fees. Needs the lock on the event. */
export async function updateConfirmedEntry(
	db: EventsQueryable,
	entryId: string,
	entry: ConfirmedEntry,
): Promise<void> {
	await db
		.updateTable('entries')
		.set({ ...entry, version: sql`version + 1` })
		.where('id', '=', entryId)
		.execute();
	await sql`
		update starts set status = ${entry.status}, start_fee = competitions.start_fee
		from competitions
		where competitions.id = starts.competition_id
			and starts.entry_id = ${entryId} and starts.status = 'PENDING_CONFIRMATION'`.execute(db);
}

/** A change of the starts of an entry. */
interface StartChange {
	readonly added: readonly Pick<NewStartRow, 'competitionId' | 'startFee'>[];
	/** Ids of competitions. */
	readonly removed: readonly string[];
	readonly checks: readonly EntryCheck[];
	readonly now: Date;
}

/** Replaces starts; the amount due follows the fees of removed and added starts. Needs the lock on the event. */
export async function replaceStarts(
	db: EventsQueryable,
	{ id: entryId, status, horseId, riderMemberId, starts }: FullEntryRow,
	{ added, removed, checks, now }: StartChange,
): Promise<void> {
	if (removed.length > 0)
		await db
			.deleteFrom('starts')
			.where('entryId', '=', entryId)
			.where('competitionId', 'in', removed)
			.execute();
	const rows = added.map((start) => ({ ...start, entryId, status, horseId, riderMemberId }));
	if (rows.length > 0) await db.insertInto('starts').values(rows).execute();
	const lost = starts.filter(({ competitionId }) => removed.includes(competitionId));
	const difference = status === 'PENDING_CONFIRMATION' ? 0 : sumOf(added) - sumOf(lost);
	await db
		.updateTable('entries')
		.set({
			amountDue: sql`amount_due + ${difference}::integer`,
			checks: JSON.stringify(checks),
			...changedAt(now),
		})
		.where('id', '=', entryId)
		.execute();
}

function sumOf(starts: readonly { readonly startFee: number }[]): number {
	return starts.reduce((total, { startFee }) => total + startFee, 0);
}

/**
 * Cancels every entry that has not ended with its event and clears all amounts due, also those of late withdrawals.
 * Needs the lock on the event. Resolves with the number of cancelled entries.
 */
export async function cancelEntriesOfEvent(db: EventsQueryable, eventId: string, now: Date): Promise<number> {
	await db
		.updateTable('entries')
		.set({ amountDue: 0, ...changedAt(now) })
		.where('eventId', '=', eventId)
		.where('status', 'not in', unendedStatuses)
		.where('amountDue', '>', 0)
		.execute();
	const cancelled = await db
		.updateTable('entries')
		.set({ status: 'CANCELLED', position: null, amountDue: 0, ...changedAt(now) })
		.where('eventId', '=', eventId)
		.where('status', 'in', unendedStatuses)
		.returning('id')
		.execute();
	const ids = cancelled.map(({ id }) => id);
	if (ids.length === 0) return 0;
	await db
		.updateTable('starts')
		.set({ status: 'CANCELLED' })
		.where('entryId', 'in', ids)
		.where('status', 'in', unendedStatuses)
		.execute();
	return ids.length;
}

/**
 * Cancels the open starts in a cancelled competition, with their fees (OeTO §25.4: the start fee, and no more). An entry
 * without any other start is cancelled too and still owes the rest, unless it had no place; a late withdrawal stays
 * withdrawn and owes less. Frees places: call `promoteWaiting` afterwards. Needs the lock on the event.
 */
export async function cancelStartsOfCompetition(
	db: EventsQueryable,
	competitionId: string,
	now: Date,
): Promise<void> {
	const open = sql`any (${[...unendedStatuses]})`;
	const { rows: cancelled } = await sql<{ entryId: string }>`
		update starts set status = 'CANCELLED'
		from entries
		where entries.id = starts.entry_id
			and starts.competition_id = ${competitionId}
			and (starts.status = ${open} or (starts.status = 'WITHDRAWN' and entries.amount_due > 0))
		returning starts.entry_id`.execute(db);
	if (cancelled.length === 0) return;
	const left = sql`exists (
		select from starts where starts.entry_id = entries.id and (status = ${open} or status = 'WITHDRAWN')
	)`;
	await sql`
		update entries set
			amount_due = case
				when status = 'PENDING_CONFIRMATION' or (status = 'WAITLISTED' and not ${left}) then 0
				else greatest(amount_due - lost.start_fee, 0)
			end,
			status = case when ${left} or status = 'WITHDRAWN' then status else 'CANCELLED' end,
			position = case when ${left} then position end,
			updated_at = ${now},
			version = version + 1
		from (
			select entry_id, start_fee from starts where competition_id = ${competitionId}
		) as lost
		where entries.id = lost.entry_id
			and entries.id = any (${cancelled.map(({ entryId }) => entryId)}::uuid[])`.execute(db);
}
