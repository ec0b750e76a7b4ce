import { randomUUID } from 'node:crypto';
import { apiError } from '@paddock/contract';
import { changedAt, namingAuthor } from '@paddock/database';
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
import { type Booking, bookLines, type LedgerLine, sumOf } from './ledger.ts';

type SelectedStart = Pick<Selectable<EventsSchema['starts']>, 'competitionId' | 'status' | 'startFee'>;

const eventColumns = ['organiserClubId', 'entryDeadline', 'startsAt', 'endsAt', 'currency'] as const;

export type EventOfEntry = Pick<EventRow, (typeof eventColumns)[number]> & {
	readonly eventStatus: EventRow['status'];
};

/** A ledger line selected together with its entry; `bookedAt` as PostgreSQL writes it in JSON. */
type SelectedLine = Pick<
	Selectable<EventsSchema['ledgerLines']>,
	'kind' | 'amount' | 'competitionId' | 'reason' | 'bookedBy'
> & {
	readonly bookedAt: string;
};

type SelectedSwap = Omit<Selectable<EventsSchema['entrySwaps']>, 'id' | 'entryId' | 'swappedAt'> & {
	readonly swappedAt: string;
};

export type NewAct = Omit<Selectable<EventsSchema['entryActs']>, 'id' | 'entryId'>;

type SelectedAct = Omit<Selectable<EventsSchema['entryActs']>, 'id' | 'entryId' | 'actedAt'> & {
	readonly actedAt: string;
};

/** An entry row with its starts, its ledger, its former pairs, its acts and the data of its event. */
export type FullEntryRow = EntryRow &
	EventOfEntry & {
		readonly starts: readonly SelectedStart[];
		readonly ledger: readonly SelectedLine[];
		readonly swaps: readonly SelectedSwap[];
		readonly acts: readonly SelectedAct[];
	};

const starts = sql<readonly SelectedStart[]>`(
	select coalesce(json_agg(json_build_object(
		'competitionId', starts.competition_id, 'status', starts.status, 'startFee', starts.start_fee
	) order by competitions.number), '[]')
	from starts join competitions on competitions.id = starts.competition_id
	where starts.entry_id = entries.id
)`.as('starts');

const ledger = sql<readonly SelectedLine[]>`(
	select coalesce(json_agg(json_build_object(
		'kind', kind, 'amount', amount, 'competitionId', competition_id, 'reason', reason,
		'bookedBy', booked_by, 'bookedAt', booked_at
	) order by id), '[]')
	from ledger_lines where ledger_lines.entry_id = entries.id
)`.as('ledger');

const swaps = sql<readonly SelectedSwap[]>`(
	select coalesce(json_agg(json_build_object(
		'fromRiderMemberId', from_rider_member_id, 'fromRiderName', from_rider_name,
		'toRiderMemberId', to_rider_member_id, 'toRiderName', to_rider_name,
		'fromHorseId', from_horse_id, 'fromHorseName', from_horse_name,
		'toHorseId', to_horse_id, 'toHorseName', to_horse_name,
		'reason', reason, 'swappedBy', swapped_by, 'swappedAt', swapped_at
	) order by id), '[]')
	from entry_swaps where entry_swaps.entry_id = entries.id
)`.as('swaps');

const acts = sql<readonly SelectedAct[]>`(
	select coalesce(json_agg(json_build_object(
		'act', act, 'actingAs', acting_as, 'forMemberId', for_member_id, 'actedBy', acted_by, 'actedAt', acted_at
	) order by id), '[]')
	from entry_acts where entry_acts.entry_id = entries.id
)`.as('acts');

export function selectEntries(db: EventsQueryable) {
	return db
		.selectFrom('entries')
		.innerJoinLateral(
			({ selectFrom }) =>
				selectFrom('events')
					.select([...eventColumns, 'events.status as eventStatus'])
					.whereRef('events.id', '=', 'entries.eventId')
					// Keeps the planner from reading all events for one page of entries.
					.offset(0)
					.as('event'),
			(join) => join.onTrue(),
		)
		.selectAll('entries')
		.selectAll('event')
		.select(starts)
		.select([ledger, swaps, acts]);
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

interface NewParts {
	readonly starts: readonly Pick<NewStartRow, 'competitionId' | 'startFee'>[];
	readonly lines: readonly LedgerLine[];
	readonly acts: readonly NewAct[];
}

/**
 * In one statement, since other entries wait; with its amount due, so that the trigger of the ledger changes nothing. With its
 * author, as its transaction may store entries of others.
 */
export async function insertEntry(
	db: EventsQueryable,
	entry: NewEntryRow,
	{ starts: startsOfIt, lines, acts: actsOnIt }: NewParts,
): Promise<EntryRow & Pick<FullEntryRow, 'starts' | 'ledger' | 'swaps' | 'acts'>> {
	const { status, horseId, riderMemberId, enteredBy } = entry;
	const id = entry.id ?? randomUUID();
	const now = entry.createdAt as Date;
	const booked = lines.filter(({ amount }) => amount !== 0);
	const row = await db
		.with(
			'starting',
			() => sql<{ entryId: string }>`(
			insert into starts (entry_id, competition_id, status, horse_id, rider_member_id, start_fee)
			select ${id}::uuid, "competitionId", ${status}::text, ${horseId}::uuid, ${riderMemberId}::uuid, "startFee"
			from jsonb_to_recordset(${JSON.stringify(startsOfIt)}::jsonb) as start ("competitionId" uuid, "startFee" integer)
			returning entry_id)`,
		)
		.with(
			'booking',
			() => sql<{ entryId: string }>`(
			insert into ledger_lines (entry_id, kind, amount, competition_id, reason, booked_by, booked_at)
			select ${id}::uuid, kind, amount, "competitionId", reason, ${enteredBy}::uuid, ${now}::timestamptz
			from jsonb_to_recordset(${JSON.stringify(booked)}::jsonb)
				as line (kind text, amount integer, "competitionId" uuid, reason text)
			returning entry_id)`,
		)
		.with(
			'acting',
			() => sql<{ entryId: string }>`(
			insert into entry_acts (entry_id, act, acting_as, for_member_id, acted_by, acted_at)
			select ${id}::uuid, act, "actingAs", "forMemberId", "actedBy", "actedAt"
			from (select ${namingAuthor()}) as author, jsonb_to_recordset(${JSON.stringify(actsOnIt)}::jsonb)
				as act (act text, "actingAs" text, "forMemberId" uuid, "actedBy" uuid, "actedAt" timestamptz)
			returning entry_id)`,
		)
		.insertInto('entries')
		.values({ ...entry, id, amountDue: sumOf(booked) })
		.returningAll()
		.executeTakeFirstOrThrow();
	return {
		...row,
		starts: startsOfIt.map((start) => ({ ...start, status: row.status })),
		ledger: booked.map(({ competitionId = null, ...line }) => ({
			...line,
			competitionId,
			bookedBy: row.enteredBy,
			bookedAt: now.toISOString(),
		})),
		swaps: [],
		acts: actsOnIt.map(({ actedAt, ...act }) => ({ ...act, actedAt: actedAt.toISOString() })),
	};
}

interface Ending {
	readonly status: Exclude<EntryStatus, (typeof unendedStatuses)[number]>;
	readonly reason: string | null;
	/** The places that count as filled once another entry is accepted there, see `fullPlaces`. */
	readonly vacated: readonly string[];
	readonly checks: readonly EntryCheck[];
}

export const notVacated = { vacatedAt: null, vacatedPlaces: null };

/** Ends an entry and frees its places. Needs the lock on the event. */
export async function endEntry(
	db: EventsQueryable,
	entryId: string,
	{ status, reason, vacated, checks }: Ending,
	now: Date,
): Promise<void> {
	await db
		.updateTable('entries')
		.set({
			status,
			statusReason: reason,
			position: null,
			...(vacated.length === 0 ? notVacated : { vacatedAt: now, vacatedPlaces: [...vacated] }),
			checks: JSON.stringify(checks),
			...changedAt(now),
		})
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
	{ lines, by, now }: Booking & { readonly lines: readonly LedgerLine[] },
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
	await bookLines(db, entryId, lines, { by, now });
}

interface StartChange {
	readonly added: readonly Pick<NewStartRow, 'competitionId' | 'startFee'>[];
	/** Ids of competitions. */
	readonly removed: readonly string[];
	readonly checks: readonly EntryCheck[];
	readonly boxes: number;
	readonly now: Date;
}

/** Replaces starts and the number of boxes. Needs the lock on the event. */
export async function replaceStarts(
	db: EventsQueryable,
	{ id: entryId, status, horseId, riderMemberId }: FullEntryRow,
	{ added, removed, checks, boxes, now }: StartChange,
): Promise<void> {
	if (removed.length > 0)
		await db
			.deleteFrom('starts')
			.where('entryId', '=', entryId)
			.where('competitionId', 'in', removed)
			.execute();
	const rows = added.map((start) => ({ ...start, entryId, status, horseId, riderMemberId }));
	if (rows.length > 0) await db.insertInto('starts').values(rows).execute();
	await db
		.updateTable('entries')
		.set({
			boxes,
			checks: JSON.stringify(checks),
			...changedAt(now),
		})
		.where('id', '=', entryId)
		.execute();
}
