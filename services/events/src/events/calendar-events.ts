import { sql } from 'kysely';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { CalendarQuery } from './calendar-schemas.ts';

const pastMs = 90 * 86_400_000;
/** Maximum number of events in a calendar; a federation has some hundreds of events a year. */
const eventsMax = 5_000;

/** Public events that have been published, cancelled ones included, up to 90 days after their end, by first day. */
export function listCalendarEvents(
	db: EventsQueryable,
	query: CalendarQuery,
	now: Date,
): Promise<EventRow[]> {
	return calendarEvents(db, query, now)
		.selectAll()
		.orderBy('startDate')
		.orderBy('id')
		.limit(eventsMax)
		.execute();
}

/** A digest of the ids and versions of these events; it changes when the calendar changes. */
export async function calendarState(db: EventsQueryable, query: CalendarQuery, now: Date): Promise<string> {
	const digest = sql<string>`count(*) || ' ' || coalesce(sum(hashtextextended(id || ' ' || version, 0)), 0)`;
	const { state } = await calendarEvents(db, query, now).select(digest.as('state')).executeTakeFirstOrThrow();
	return state;
}

function calendarEvents(db: EventsQueryable, { discipline, stateCode }: CalendarQuery, now: Date) {
	let select = db
		.selectFrom('events')
		.where('isPublic', '=', true)
		.where('status', '<>', 'DRAFT')
		.where('endsAt', '>', new Date(now.getTime() - pastMs));
	if (discipline !== undefined) select = select.where(sql<boolean>`disciplines @> array[${discipline}]`);
	if (stateCode !== undefined) select = select.where('venueStateCode', '=', stateCode);
	return select;
}
