import { apiError } from '@paddock/contract';
import { sql } from 'kysely';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EntryCheck } from '../entries/entry-check.ts';
import { type EntryStatus, unendedStatuses } from '../entries/entry-status.ts';
import type { EntryRow, NewEntryRow, NewStartRow } from '../entry-tables.ts';

/** A start selected together with its entry. */
export interface SelectedStart {
	readonly competitionId: string;
	readonly status: EntryStatus;
	readonly startFee: number;
}

/** Columns of the event that an entry shows. */
export const eventColumns = ['organiser_club_id', 'entry_deadline', 'starts_at', 'ends_at'] as const;

/** Data of the event that an entry shows. */
export type EventOfEntry = Pick<EventRow, (typeof eventColumns)[number]> & {
	readonly event_status: EventRow['status'];
};

/** An entry row with its starts and the data of its event. */
export type FullEntryRow = EntryRow & EventOfEntry & { readonly starts: readonly SelectedStart[] };

/** Picks the data of an event row that an entry shows. */
export function eventOfEntry(event: EventRow): EventOfEntry {
	const { organiser_club_id, entry_deadline, starts_at, ends_at, status: event_status } = event;
	return { organiser_club_id, entry_deadline, starts_at, ends_at, event_status };
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
		.innerJoin('events', 'events.id', 'entries.event_id')
		.selectAll('entries')
		.select(eventColumns.map((column) => `events.${column}` as const))
		.select('events.status as event_status')
		.select(starts);
}

/** @throws ApiError NOT_FOUND, also if the entry belongs to another event. */
export async function getEntryRow(
	db: EventsQueryable,
	{ id, entryId }: { readonly id: string; readonly entryId: string },
): Promise<FullEntryRow> {
	const row = await findEntryRow(db, { id, entryId });
	if (row === undefined) throw noSuchEntry();
	return row;
}

/** Undefined also if the entry belongs to another event. */
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

/** Final state of an entry. */
export interface Ending {
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

/** The columns that a confirmation sets, as if the entry were created now, with its number kept. */
export type ConfirmedEntry = Omit<
	NewEntryRow,
	'event_id' | 'entry_number' | 'entered_by' | 'created_at' | 'status_reason'
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
export interface StartChange {
	readonly added: readonly Pick<NewStartRow, 'competition_id' | 'start_fee'>[];
	/** Ids of competitions. */
	readonly removed: readonly string[];
	readonly checks: readonly EntryCheck[];
	readonly now: Date;
}

/** Replaces starts; the amount due follows the fees of removed and added starts. Needs the lock on the event. */
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
