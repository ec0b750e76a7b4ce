import { fail } from '@paddock/contract';
import type { Principal } from '@paddock/identity';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { Event } from '../schemas/event.ts';
import { eventCounts, toEvent } from './event-rows.ts';
import { visibleTo } from './event-visibility.ts';

/** Who asks, and when. */
export interface Viewer {
	readonly principal: Principal | undefined;
	readonly now: Date;
}

/** The record as the viewer sees it. @throws ApiError NOT_FOUND, also where it is a draft of others. */
export async function getEvent(db: EventsQueryable, id: string, { principal, now }: Viewer): Promise<Event> {
	const row = await visibleEvent(db, id, principal).select(eventCounts).executeTakeFirst();
	if (row === undefined) throw noSuchEvent();
	return toEvent(row, now);
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
	return fail('NOT_FOUND', { message: 'There is no such event.' });
}
