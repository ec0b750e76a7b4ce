import { apiError } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import { sql } from 'kysely';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { Event } from '../schemas/event.ts';
import { visibleTo } from './event-visibility.ts';

/** Who reads, and when. */
export interface Viewer {
	readonly principal: Principal | undefined;
	readonly now: Date;
}

/** What a record shows of the rows around it. */
export type EventCounts = Event['counts'];

/** A row with its counts. */
export type CountedEventRow = EventRow & { readonly counts: EventCounts };

/** Selects the counts beside a row of `events`, in the same query. */
export const eventCounts = sql<EventCounts>`(
	select json_build_object(
		'competitions', (select count(*) from competitions where competitions.event_id = events.id),
		'entries', count(*) filter (where entries.is_confirmed),
		'accepted', count(*) filter (where entries.status = 'ACCEPTED'),
		'waitlisted', count(*) filter (where entries.status = 'WAITLISTED')
	)
	from entries where entries.event_id = events.id
)`.as('counts');

/** The row with its counts. @throws ApiError NOT_FOUND, also where it is a draft of others. */
export async function getCountedEventRow(
	db: EventsQueryable,
	id: string,
	principal: Principal | undefined,
): Promise<CountedEventRow> {
	const row = await visibleEvent(db, id, principal).select(eventCounts).executeTakeFirst();
	if (row === undefined) throw noSuchEvent();
	return row;
}

/** The bare row where the caller may see it. @throws ApiError NOT_FOUND */
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
 * Holds the row until the end of the transaction: whatever changes the event, its competitions or its places takes
 * this lock first, and asks for anything else after it. @throws ApiError NOT_FOUND
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

/** Whether anybody was ever entered. Stays so only while the event is locked. */
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
