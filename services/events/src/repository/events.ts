import { apiError } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import { sql } from 'kysely';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { Event } from '../schemas/event.ts';
import { visibleTo } from './event-visibility.ts';

/** The reader and the time of reading. */
export interface Viewer {
	readonly principal: Principal | undefined;
	readonly now: Date;
}

/** Counts of the rows that belong to an event. */
export type EventCounts = Event['counts'];

/** A row with its counts. */
export type CountedEventRow = EventRow & { readonly counts: EventCounts };

/** Selects the counts of an `events` row in the same query. */
export const eventCounts = sql<EventCounts>`(
	select json_build_object(
		'competitions', (select count(*) from competitions where competitions.event_id = events.id),
		'entries', count(*) filter (where entries.is_confirmed),
		'accepted', count(*) filter (where entries.status = 'ACCEPTED'),
		'waitlisted', count(*) filter (where entries.status = 'WAITLISTED')
	)
	from entries where entries.event_id = events.id
)`.as('counts');

/** The row with its counts. @throws ApiError NOT_FOUND, also for a draft of another organiser. */
export async function getCountedEventRow(
	db: EventsQueryable,
	id: string,
	principal: Principal | undefined,
): Promise<CountedEventRow> {
	const row = await visibleEvent(db, id, principal).select(eventCounts).executeTakeFirst();
	if (row === undefined) throw noSuchEvent();
	return row;
}

/** The row without counts. @throws ApiError NOT_FOUND, also if the caller may not see the event. */
export async function getEventRow(
	db: EventsQueryable,
	id: string,
	principal: Principal | undefined,
): Promise<EventRow> {
	const row = await visibleEvent(db, id, principal).executeTakeFirst();
	if (row === undefined) throw noSuchEvent();
	return row;
}

/**
 * Locks the row for the rest of the transaction. Every change of the event, its competitions or its places takes this
 * lock first, and queries everything else after it.
 * @throws ApiError NOT_FOUND
 */
export async function lockEvent(
	db: EventsQueryable,
	id: string,
	principal: Principal | undefined,
): Promise<EventRow> {
	const row = await visibleEvent(db, id, principal).forUpdate().executeTakeFirst();
	if (row === undefined) throw noSuchEvent();
	return row;
}

/** Whether the event ever had an entry. Valid only while the event is locked. */
export async function hasEntries(db: EventsQueryable, eventId: string): Promise<boolean> {
	const entry = db.selectFrom('entries').select('id').where('event_id', '=', eventId).limit(1);
	return (await entry.executeTakeFirst()) !== undefined;
}

function visibleEvent(db: EventsQueryable, id: string, principal: Principal | undefined) {
	return db.selectFrom('events').selectAll().where('id', '=', id).where(visibleTo(principal));
}

function noSuchEvent() {
	return apiError('NOT_FOUND', { message: 'There is no such event.' });
}
