import { changedAt } from '@paddock/database';
import { sql } from 'kysely';
import type { CompetitionRow, EntryRow, EventsQueryable } from '../database-schema.ts';
import { type EntryStatus, openStatuses } from '../enumerations.ts';

/** Rider and horse of an entry. */
export interface ParticipantIds {
	readonly riderMemberId: string;
	readonly horseId: string;
}

/** A competition with its number of accepted starts. */
export type TakenCompetitionRow = CompetitionRow & { readonly accepted: number };

/** The competitions of an event, by number, with their numbers of accepted starts. */
export function listTakenCompetitions(db: EventsQueryable, eventId: string): Promise<TakenCompetitionRow[]> {
	const accepted = sql<number>`(
		select count(*) from starts
		where starts.competition_id = competitions.id and starts.status = 'ACCEPTED'
	)`.as('accepted');
	return db
		.selectFrom('competitions')
		.selectAll()
		.select(accepted)
		.where('eventId', '=', eventId)
		.orderBy('number')
		.execute();
}

/** Number of accepted entries, and the next entry number and waiting list position. */
export interface EntryCounters {
	readonly accepted: number;
	readonly nextNumber: number;
	readonly nextPosition: number;
}

/** Valid only while the event is locked. */
export function countEntries(db: EventsQueryable, eventId: string): Promise<EntryCounters> {
	return db
		.selectFrom('entries')
		.select([
			sql<number>`count(*) filter (where status = 'ACCEPTED')`.as('accepted'),
			sql<number>`coalesce(max(entry_number), 0) + 1`.as('nextNumber'),
			sql<number>`coalesce(max(position), 0) + 1`.as('nextPosition'),
		])
		.where('eventId', '=', eventId)
		.executeTakeFirstOrThrow();
}

/** A waiting entry with its rider and horse. */
export interface WaitingEntryRow extends ParticipantIds, Pick<EntryRow, 'checks'> {
	readonly id: string;
	readonly competitionIds: readonly string[];
}

/** The waiting entries of an event, by position, with their open competitions. */
export function listWaiting(db: EventsQueryable, eventId: string): Promise<WaitingEntryRow[]> {
	return db
		.selectFrom('entries')
		.innerJoin('starts', 'starts.entryId', 'entries.id')
		.select([
			'entries.id',
			'entries.riderMemberId',
			'entries.horseId',
			'entries.checks',
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
): Promise<void> {
	await db
		.updateTable('entries')
		.set({
			status: 'ACCEPTED',
			position: null,
			freeWithdrawalUntil: sql`greatest(free_withdrawal_until, ${freeUntil})`,
			...changedAt(now),
		})
		.where('id', 'in', ids)
		.execute();
	await db
		.updateTable('starts')
		.set({ status: 'ACCEPTED' })
		.where('entryId', 'in', ids)
		.where('status', '=', 'WAITLISTED')
		.execute();
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

/** Open starts at an event with this rider or this horse, except those of the entry `except`. */
export function listOpenStarts(
	db: EventsQueryable,
	eventId: string,
	{ riderMemberId, horseId }: ParticipantIds,
	except?: string,
): Promise<OpenStart[]> {
	const all = db
		.selectFrom('starts')
		.innerJoin('competitions', 'competitions.id', 'starts.competitionId')
		.select(['starts.competitionId', 'starts.horseId', 'starts.riderMemberId'])
		.where('competitions.eventId', '=', eventId)
		.where('starts.status', 'in', openStatuses)
		.where((eb) =>
			eb.or([eb('starts.riderMemberId', '=', riderMemberId), eb('starts.horseId', '=', horseId)]),
		);
	return (except === undefined ? all : all.where('starts.entryId', '<>', except)).execute();
}

/** Filter for entries; of any rider if `riderMemberId` is undefined. */
interface Sought {
	readonly horseId: string;
	readonly riderMemberId?: string;
	readonly statuses: readonly EntryStatus[];
}

/** Whether the event has such an entry besides the entry `except`. */
export async function hasEntry(
	db: EventsQueryable,
	eventId: string,
	{ horseId, riderMemberId, statuses }: Sought,
	except?: string,
): Promise<boolean> {
	let found = db.selectFrom('entries').select('id').where('eventId', '=', eventId);
	found = found.where('horseId', '=', horseId).where('status', 'in', statuses).limit(1);
	if (riderMemberId !== undefined) found = found.where('riderMemberId', '=', riderMemberId);
	if (except !== undefined) found = found.where('id', '<>', except);
	return (await found.executeTakeFirst()) !== undefined;
}
