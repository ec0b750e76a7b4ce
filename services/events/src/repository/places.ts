import { sql } from 'kysely';
import type { CompetitionRow, EventsQueryable } from '../database-schema.ts';
import { type EntryStatus, openStatuses } from '../entries/entry-status.ts';
import type { ParticipantIds } from '../entries/participants.ts';
import type { WaitingEntry } from '../entries/waiting-list.ts';

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
		.where('event_id', '=', eventId)
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
		.where('event_id', '=', eventId)
		.executeTakeFirstOrThrow();
}

/** A waiting entry with its rider and horse. */
export interface WaitingEntryRow extends WaitingEntry, ParticipantIds {}

/** The waiting entries of an event, by position, with their open competitions. */
export function listWaiting(db: EventsQueryable, eventId: string): Promise<WaitingEntryRow[]> {
	return db
		.selectFrom('entries')
		.innerJoin('starts', 'starts.entry_id', 'entries.id')
		.select([
			'entries.id',
			'entries.rider_member_id as riderMemberId',
			'entries.horse_id as horseId',
			sql<string[]>`array_agg(starts.competition_id)::text[]`.as('competitionIds'),
		])
		.where('entries.event_id', '=', eventId)
		.where('entries.status', '=', 'WAITLISTED')
		.where('starts.status', 'in', openStatuses)
		.groupBy('entries.id')
		.orderBy('entries.position')
		.execute();
}

/** Needs the lock on the event. */
export async function acceptWaiting(db: EventsQueryable, ids: readonly string[], now: Date): Promise<void> {
	await db
		.updateTable('entries')
		.set({ status: 'ACCEPTED', position: null, updated_at: now, version: sql`version + 1` })
		.where('id', 'in', ids)
		.execute();
	await db
		.updateTable('starts')
		.set({ status: 'ACCEPTED' })
		.where('entry_id', 'in', ids)
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
export interface OpenStart {
	readonly competition_id: string;
	readonly horse_id: string;
	readonly rider_member_id: string;
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
		.innerJoin('competitions', 'competitions.id', 'starts.competition_id')
		.select(['starts.competition_id', 'starts.horse_id', 'starts.rider_member_id'])
		.where('competitions.event_id', '=', eventId)
		.where('starts.status', 'in', openStatuses)
		.where((eb) =>
			eb.or([eb('starts.rider_member_id', '=', riderMemberId), eb('starts.horse_id', '=', horseId)]),
		);
	return (except === undefined ? all : all.where('starts.entry_id', '<>', except)).execute();
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
	let found = db.selectFrom('entries').select('id').where('event_id', '=', eventId);
	found = found.where('horse_id', '=', horseId).where('status', 'in', statuses).limit(1);
	if (riderMemberId !== undefined) found = found.where('rider_member_id', '=', riderMemberId);
	if (except !== undefined) found = found.where('id', '<>', except);
	return (await found.executeTakeFirst()) !== undefined;
}
