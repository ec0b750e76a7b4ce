import { changedAt } from '@paddock/database';
import { sql } from 'kysely';
import type { CompetitionRow, EntryRow, EventRow, EventsQueryable } from '../database-schema.ts';
import { openStatuses, unendedStatuses } from '../enumerations.ts';
import { type ToldEntry, toldColumns } from './new-entry-texts.ts';
import { isOpenStatus } from './rules.ts';
import type { FullEntryRow } from './store.ts';

export interface ParticipantIds {
	readonly riderMemberId: string;
	readonly horseId: string;
}

export type TakenCompetitionRow = CompetitionRow & { readonly accepted: number };

const accepted = sql<number>`(
	select count(*) from starts
	where starts.competition_id = competitions.id and starts.status = 'ACCEPTED'
)`.as('accepted');

export function listTakenCompetitions(db: EventsQueryable, eventId: string): Promise<TakenCompetitionRow[]> {
	return db
		.selectFrom('competitions')
		.selectAll()
		.select(accepted)
		.where('eventId', '=', eventId)
		.orderBy('number')
		.execute();
}

/** Numbers of accepted entries and their boxes, and the next entry number and waiting list position. */
export interface EntryCounters {
	readonly accepted: number;
	readonly nextNumber: number;
	readonly nextPosition: number;
	readonly boxes: number;
	/** Whether a withdrawn entry gets its money back when its place is filled. */
	readonly hasVacated: boolean;
}

/** Each by an index of its own; only accepted entries are counted. Boxes are summed if the event limits them. */
function countersOf({ id, maxBoxes }: CountedEvent) {
	const boxes =
		maxBoxes === null
			? sql`0`
			: sql`coalesce((select sum(boxes) from entries where event_id = ${id} and status = 'ACCEPTED'), 0)::integer`;
	return [
		sql<number>`(select count(*) from entries where event_id = ${id} and status = 'ACCEPTED')`.as('accepted'),
		sql<number>`coalesce((select max(entry_number) from entries where event_id = ${id}), 0) + 1`.as(
			'nextNumber',
		),
		sql<number>`coalesce((
			select max(position) from entries where event_id = ${id} and status = 'WAITLISTED'
		), 0) + 1`.as('nextPosition'),
		sql<number>`${boxes}`.as('boxes'),
		sql<boolean>`exists (select from entries where event_id = ${id} and vacated_at is not null)`.as(
			'hasVacated',
		),
	] as const;
}

type CountedEvent = Pick<EventRow, 'id' | 'maxBoxes'>;

/** Valid only while the event is locked. */
function countEntries(db: EventsQueryable, event: CountedEvent): Promise<EntryCounters> {
	return db.selectNoFrom(countersOf(event)).executeTakeFirstOrThrow();
}

export interface TakenPlaces {
	readonly competitions: readonly TakenCompetitionRow[];
	readonly counters: EntryCounters;
}

/** `listTakenCompetitions` and `countEntries` in one statement. Valid only while the event is locked. */
export async function readPlaces(db: EventsQueryable, event: CountedEvent): Promise<TakenPlaces> {
	const rows = await db
		.with('counters', (cte) => cte.selectNoFrom(countersOf(event)))
		.selectFrom(['competitions', 'counters'])
		.selectAll('competitions')
		.select([
			'counters.accepted as acceptedEntries',
			'counters.nextNumber',
			'counters.nextPosition',
			'counters.boxes',
			'counters.hasVacated',
		])
		.select(accepted)
		.where('eventId', '=', event.id)
		.orderBy('number')
		.execute();
	const competitions = rows.map(
		({ acceptedEntries: _, nextNumber: _n, nextPosition: _p, boxes: _b, hasVacated: _v, ...row }) => row,
	);
	const [first] = rows;
	if (first === undefined) return { competitions, counters: await countEntries(db, event) };
	const { acceptedEntries, nextNumber, nextPosition, boxes, hasVacated } = first;
	return {
		competitions,
		counters: { accepted: acceptedEntries, nextNumber, nextPosition, boxes, hasVacated },
	};
}

type AddedEntry = ParticipantIds & Pick<FullEntryRow, 'status' | 'boxes' | 'starts'>;

/** The places after an entry has been stored. */
export function addTaken(
	{ competitions, counters }: TakenPlaces,
	{ maxBoxes }: Pick<EventRow, 'maxBoxes'>,
	{ status, boxes, starts }: AddedEntry,
): TakenPlaces {
	const accepted = status === 'ACCEPTED' ? 1 : 0;
	const started = new Set(starts.map(({ competitionId }) => competitionId));
	return {
		competitions: competitions.map((row) =>
			started.has(row.id) ? { ...row, accepted: row.accepted + accepted } : row,
		),
		counters: {
			...counters,
			accepted: counters.accepted + accepted,
			nextNumber: counters.nextNumber + 1,
			nextPosition: counters.nextPosition + (status === 'WAITLISTED' ? 1 : 0),
			boxes: counters.boxes + (maxBoxes === null ? 0 : accepted * boxes),
		},
	};
}

export interface WaitingEntryRow extends ParticipantIds, Pick<EntryRow, 'checks' | 'boxes'> {
	readonly id: string;
	readonly competitionIds: readonly string[];
}

export function listWaiting(db: EventsQueryable, eventId: string): Promise<WaitingEntryRow[]> {
	return db
		.selectFrom('entries')
		.innerJoin('starts', 'starts.entryId', 'entries.id')
		.select([
			'entries.id',
			'entries.riderMemberId',
			'entries.horseId',
			'entries.checks',
			'entries.boxes',
			sql<string[]>`array_agg(starts.competition_id)::text[]`.as('competitionIds'),
		])
		.where('entries.eventId', '=', eventId)
		.where('entries.status', '=', 'WAITLISTED')
		.where('starts.status', 'in', openStatuses)
		.groupBy('entries.id')
		.orderBy('entries.position')
		.execute();
}

/** Needs the lock on the event. */
export async function acceptWaiting(
	db: EventsQueryable,
	ids: readonly string[],
	{ now, freeUntil }: { readonly now: Date; readonly freeUntil: Date },
): Promise<readonly ToldEntry[]> {
	const accepted = await db
		.updateTable('entries')
		.set({
			status: 'ACCEPTED',
			position: null,
			freeWithdrawalUntil: sql`greatest(free_withdrawal_until, ${freeUntil})`,
			...changedAt(now),
		})
		.where('id', 'in', ids)
		.returning(toldColumns)
		.execute();
	await db
		.updateTable('starts')
		.set({ status: 'ACCEPTED' })
		.where('entryId', 'in', ids)
		.where('status', '=', 'WAITLISTED')
		.execute();
	return accepted;
}

/** Closes the gaps in the waiting list. Needs the lock on the event. */
export async function closeGaps(db: EventsQueryable, eventId: string, now: Date): Promise<void> {
	await sql`
		update entries set position = list.position, updated_at = ${now}, version = version + 1
		from (
			select id, row_number() over (order by position)::integer as position
			from entries where event_id = ${eventId} and status = 'WAITLISTED'
		) as list
		where entries.id = list.id and entries.position <> list.position`.execute(db);
}

/** A start that has a place or waits for one. */
export interface OpenStart extends ParticipantIds {
	readonly competitionId: string;
}

/** An entry of a horse at an event. */
export type EntryOfHorse = Pick<EntryRow, 'riderMemberId' | 'status'>;

/** What a rider and a horse have at an event, besides the entry `except`. */
export interface PairAtEvent {
	/** Open starts with this rider or this horse. */
	readonly openStarts: readonly OpenStart[];
	/** The entries of the horse that have not ended. */
	readonly entriesOfHorse: readonly EntryOfHorse[];
}

type PairRow = OpenStart | (EntryOfHorse & { readonly competitionId: null; readonly horseId: string | null });

function pairOf(rows: readonly PairRow[]): PairAtEvent {
	const isStart = (row: PairRow): row is OpenStart => row.competitionId !== null;
	return {
		openStarts: rows.filter(isStart),
		entriesOfHorse: rows.flatMap((row) => (isStart(row) || row.horseId === null ? [] : [row])),
	};
}

/** As parameters the server would expect ten, and plan the prepared statement anew each time. */
const literals = (statuses: readonly string[]) => sql.join(statuses.map((status) => sql.lit(status)));

/**
 * In one statement, since other entries of the event wait. In a transaction it waits for other entries of the horse: at two
 * events, which have two locks, they would miss each other.
 */
export async function readPairAtEvent(
	db: EventsQueryable,
	eventId: string,
	{ riderMemberId, horseId }: ParticipantIds,
	except?: string,
): Promise<PairAtEvent> {
	const lock = db.isTransaction ? sql`pg_advisory_xact_lock(hashtextextended(${horseId}, 28))` : sql`now()`;
	const { rows } = await sql<PairRow>`
		select own.*
		from (select ${lock}) as locked left join (
			select null::uuid as competition_id, rider_member_id, horse_id, status
			from entries
			where event_id = ${eventId}::uuid and horse_id = ${horseId}::uuid and status in (${literals(unendedStatuses)})
				and id is distinct from ${except ?? null}::uuid
			union all
			select competition_id, rider_member_id, horse_id, starts.status
			from starts join competitions on competitions.id = competition_id
			where competitions.event_id = ${eventId}::uuid and starts.status in (${literals(openStatuses)})
				and (rider_member_id = ${riderMemberId}::uuid or horse_id = ${horseId}::uuid)
				and entry_id is distinct from ${except ?? null}::uuid
		) as own on true`.execute(db);
	return pairOf(rows);
}

/** As `readPairAtEvent` for several pairs, and those of entries that are added meanwhile. */
export interface PairsAtEvent {
	of(ids: ParticipantIds): PairAtEvent;
	add(entry: AddedEntry): void;
}

/** In a transaction it waits for other entries of the horses, and for those of the riders in `alone`. */
export async function readPairsAtEvent(
	db: EventsQueryable,
	eventId: string,
	pairs: readonly ParticipantIds[],
	alone: readonly string[],
): Promise<PairsAtEvent> {
	const horses = pairs.map(({ horseId }) => horseId);
	const riders = pairs.map(({ riderMemberId }) => riderMemberId);
	// Horses first, as a single entry locks them, so that two transactions do not wait for each other.
	const waitedFor = [...new Set([...horses.toSorted(), ...alone.toSorted()])];
	const { rows } = await sql<PairRow>`
		select own.*
		from (
			select count(pg_advisory_xact_lock(hashtextextended(id, 28))) from unnest(${waitedFor}::text[]) as id
		) as locked left join (
			select null::uuid as competition_id, rider_member_id, horse_id, status
			from entries
			where event_id = ${eventId}::uuid and horse_id = any (${horses}::uuid[])
				and status in (${literals(unendedStatuses)})
			union all
			select competition_id, rider_member_id, horse_id, starts.status
			from starts join competitions on competitions.id = competition_id
			where competitions.event_id = ${eventId}::uuid and starts.status in (${literals(openStatuses)})
				and (rider_member_id = any (${riders}::uuid[]) or horse_id = any (${horses}::uuid[]))
		) as own on true`.execute(db);
	const all = [...rows];
	return {
		of: ({ riderMemberId, horseId }) =>
			pairOf(
				all.filter(
					(row) =>
						row.horseId === horseId || (row.competitionId !== null && row.riderMemberId === riderMemberId),
				),
			),
		add: ({ riderMemberId, horseId, status, starts }) => {
			const ids = { riderMemberId, horseId };
			all.push({ ...ids, status, competitionId: null });
			if (isOpenStatus(status)) all.push(...starts.map(({ competitionId }) => ({ ...ids, competitionId })));
		},
	};
}
