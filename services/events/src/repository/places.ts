import { dayIn } from '@paddock/calendar';
import { sql } from 'kysely';
import type { CompetitionRow, EventRow, EventsQueryable } from '../database-schema.ts';
import { openStatuses } from '../entries/entry-status.ts';
import { type FreePlaces, promoted, type WaitingEntry } from '../entries/waiting-list.ts';

/** A competition with how many have a place in it. */
export type TakenCompetitionRow = CompetitionRow & { readonly accepted: number };

/** The competitions of an event, by number, with the places that are taken. */
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

/** How many entries have a place, and what number and what position the next one gets. */
export interface EntryCounters {
	readonly accepted: number;
	readonly nextNumber: number;
	readonly nextPosition: number;
}

/** Stays true only while the event is locked. */
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

/** What is left; competitions that are cancelled or over take nobody. */
export function freePlaces(
	event: Pick<EventRow, 'max_entries' | 'venue_time_zone'>,
	accepted: number,
	competitions: readonly TakenCompetitionRow[],
	now: Date,
): FreePlaces {
	const today = dayIn(event.venue_time_zone, now);
	const taking = competitions.filter(({ status, date }) => status === 'OPEN' && date >= today);
	const left = (max: number | null, taken: number) => (max === null ? null : max - taken);
	return {
		entries: left(event.max_entries, accepted),
		starts: new Map(taking.map((row) => [row.id, left(row.max_starters, row.accepted)])),
	};
}

/** A waiting entry with whom it is about. */
export interface WaitingPair {
	readonly id: string;
	readonly riderMemberId: string;
	readonly horseId: string;
}

/** The waiting entries of an event. */
export function listWaitingPairs(db: EventsQueryable, eventId: string): Promise<WaitingPair[]> {
	return db
		.selectFrom('entries')
		.select(['id', 'rider_member_id as riderMemberId', 'horse_id as horseId'])
		.where('event_id', '=', eventId)
		.where('status', '=', 'WAITLISTED')
		.execute();
}

/** The open competitions of each waiting entry, in the order of the waiting list. */
async function listWaiting(db: EventsQueryable, eventId: string): Promise<WaitingEntry[]> {
	return db
		.selectFrom('entries')
		.innerJoin('starts', 'starts.entry_id', 'entries.id')
		.select(['entries.id', sql<string[]>`array_agg(starts.competition_id)::text[]`.as('competitionIds')])
		.where('entries.event_id', '=', eventId)
		.where('entries.status', '=', 'WAITLISTED')
		.where('starts.status', 'in', openStatuses)
		.groupBy('entries.id')
		.orderBy('entries.position')
		.execute();
}

/**
 * Gives free places to waiting entries, in their order (see `promoted`), and closes the gaps in the waiting list. Call it
 * after every change that frees a place or removes a waiting entry, in the same transaction; needs the lock on the
 * event. `blocked` (see `blockedEntries`) keep their positions. Resolves with the ids of the promoted entries.
 */
export async function promoteWaiting(
	db: EventsQueryable,
	event: EventRow,
	now: Date,
	blocked: ReadonlySet<string>,
): Promise<readonly string[]> {
	const waiting = await listWaiting(db, event.id);
	if (waiting.length === 0) return [];
	const eligible = waiting.filter(({ id }) => !blocked.has(id));
	const competitions = await listTakenCompetitions(db, event.id);
	const { accepted } = await countEntries(db, event.id);
	const ids = promoted(eligible, freePlaces(event, accepted, competitions, now));
	if (ids.length > 0) await accept(db, ids, now);
	await closeGaps(db, event.id, now);
	return ids;
}

async function accept(db: EventsQueryable, ids: readonly string[], now: Date): Promise<void> {
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

async function closeGaps(db: EventsQueryable, eventId: string, now: Date): Promise<void> {
	await sql`
		update entries set position = list.position, updated_at = ${now}, version = version + 1
		from (
			select id, row_number() over (order by position)::integer as position
			from entries where event_id = ${eventId} and status = 'WAITLISTED'
		) as list
		where entries.id = list.id and entries.position <> list.position`.execute(db);
}
