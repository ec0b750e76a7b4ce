import { apiError } from '@paddock/contract';
import { sql } from 'kysely';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EntryCheck } from '../entries/entry-check.ts';
import { type EntryStatus, unendedStatuses } from '../entries/entry-status.ts';
import type { EntryRow, NewEntryRow, NewStartRow } from '../entry-tables.ts';

/** A start as it is selected beside its entry. */
export interface SelectedStart {
	readonly competitionId: string;
	readonly status: EntryStatus;
	readonly startFee: number;
}

/** The columns of its event that decide what an entry shows. */
export const eventColumns = ['organiser_club_id', 'entry_deadline', 'starts_at', 'ends_at'] as const;

/** What an entry shows of its event. */
export type EventOfEntry = Pick<EventRow, (typeof eventColumns)[number]> & {
	readonly event_status: EventRow['status'];
};

/** A row with its starts, and what its event says. */
export type FullEntryRow = EntryRow & EventOfEntry & { readonly starts: readonly SelectedStart[] };

/** The part of an event's row that an entry shows. */
export function eventOfEntry(event: EventRow): EventOfEntry {
	const { organiser_club_id, entry_deadline, starts_at, ends_at, status: event_status } = event;
	return { organiser_club_id, entry_deadline, starts_at, ends_at, event_status };
}

/** Selects the starts beside a row of `entries`, by the numbers of their competitions, in the same query. */
const starts = sql<readonly SelectedStart[]>`(
	select coalesce(json_agg(json_build_object(
		'competitionId', starts.competition_id, 'status', starts.status, 'startFee', starts.start_fee
	) order by competitions.number), '[]')
	from starts join competitions on competitions.id = starts.competition_id
	where starts.entry_id = entries.id
)`.as('starts');

/** Entries with their starts and what they show of their events. */
export function selectEntries(db: EventsQueryable) {
	return db
		.selectFrom('entries')
		.innerJoin('events', 'events.id', 'entries.event_id')
		.selectAll('entries')
		.select(eventColumns.map((column) => `events.${column}` as const))
		.select('events.status as event_status')
		.select(starts);
}

/** @throws ApiError NOT_FOUND, also when it is one of another event. */
export async function getEntryRow(
	db: EventsQueryable,
	{ id, entryId }: { readonly id: string; readonly entryId: string },
): Promise<FullEntryRow> {
	const row = await findEntryRow(db, { id, entryId });
	if (row === undefined) throw noSuchEntry();
	return row;
}

/** Undefined when it is one of another event, too. */
export function findEntryRow(
	db: EventsQueryable,
	{ id, entryId }: { readonly id: string; readonly entryId: string },
): Promise<FullEntryRow | undefined> {
	return selectEntries(db)
		.where('entries.event_id', '=', id)
		.where('entries.id', '=', entryId)
		.executeTakeFirst();
}

/** The same error for an unknown entry and for one that does not concern the caller. */
export function noSuchEntry() {
	return apiError('NOT_FOUND', { message: 'There is no such entry at this event.' });
}

/** Needs the lock on the event. `starts` in the order of the competitions' numbers. */
export async function insertEntry(
	db: EventsQueryable,
	entry: NewEntryRow,
	startsOfIt: readonly Pick<NewStartRow, 'competition_id' | 'start_fee'>[],
): Promise<EntryRow & Pick<FullEntryRow, 'starts'>> {
	const row = await db.insertInto('entries').values(entry).returningAll().executeTakeFirstOrThrow();
	const { id: entry_id, status, horse_id, rider_member_id } = row;
	const rows = startsOfIt.map((start) => ({ ...start, entry_id, status, horse_id, rider_member_id }));
	await db.insertInto('starts').values(rows).execute();
	return { ...row, starts: rows.map(toSelected) };
}

function toSelected({ competition_id, status, start_fee }: NewStartRow): SelectedStart {
	return { competitionId: competition_id, status, startFee: start_fee };
}

/** How an entry ends. */
export interface Ending {
	readonly status: Exclude<EntryStatus, (typeof unendedStatuses)[number]>;
	readonly reason: string | null;
	/** Cents. */
	readonly amountDue: number;
}

/** Needs the lock on the event; the places that it held are free then. */
export async function endEntry(
	db: EventsQueryable,
	entryId: string,
	{ status, reason, amountDue }: Ending,
	now: Date,
): Promise<void> {
	await db
		.updateTable('entries')
		.set({
			status,
			status_reason: reason,
			position: null,
			amount_due: amountDue,
			updated_at: now,
			version: sql`version + 1`,
		})
		.where('id', '=', entryId)
		.execute();
	await db
		.updateTable('starts')
		.set({ status })
		.where('entry_id', '=', entryId)
		.where('status', 'in', unendedStatuses)
		.execute();
}

/** What a confirmed entry becomes: as if it were made now, under the number that it has. */
export type ConfirmedEntry = Omit<
	NewEntryRow,
	'event_id' | 'entry_number' | 'entered_by' | 'created_at' | 'status_reason'
>;

/** Needs the lock on the event. Start fees are those of now. */
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

/** What becomes of an entry's starts. */
export interface StartChange {
	readonly added: readonly Pick<NewStartRow, 'competition_id' | 'start_fee'>[];
	/** Ids of competitions. */
	readonly removed: readonly string[];
	readonly checks: readonly EntryCheck[];
	readonly now: Date;
}

/** Needs the lock on the event. Fees of removed starts are no longer due, those of added ones are. */
export async function replaceStarts(
	db: EventsQueryable,
	{ id: entry_id, status, horse_id, rider_member_id, starts }: FullEntryRow,
	{ added, removed, checks, now }: StartChange,
): Promise<void> {
	if (removed.length > 0)
		await db
			.deleteFrom('starts')
			.where('entry_id', '=', entry_id)
			.where('competition_id', 'in', removed)
			.execute();
	const rows = added.map((start) => ({ ...start, entry_id, status, horse_id, rider_member_id }));
	if (rows.length > 0) await db.insertInto('starts').values(rows).execute();
	const lost = starts.filter(({ competitionId }) => removed.includes(competitionId));
	const difference =
		status === 'PENDING_CONFIRMATION'
			? 0
			: sum(added.map(({ start_fee }) => start_fee)) - sum(lost.map(({ startFee }) => startFee));
	await db
		.updateTable('entries')
		.set({
			amount_due: sql`amount_due + ${difference}::integer`,
			checks: JSON.stringify(checks),
			updated_at: now,
			version: sql`version + 1`,
		})
		.where('id', '=', entry_id)
		.execute();
}

function sum(fees: readonly number[]): number {
	return fees.reduce((total, fee) => total + fee, 0);
}
