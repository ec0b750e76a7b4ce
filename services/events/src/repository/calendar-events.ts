import { sql } from 'kysely';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { CalendarQuery } from '../schemas/calendar.ts';

const pastMs = 90 * 86_400_000;
/** What one calendar holds; a federation has some hundreds of events a year. */
const eventsMax = 5_000;

/** What was published for everybody and ended 90 days ago at the earliest, cancelled ones too, by first day. */
export function listCalendarEvents(
	db: EventsQueryable,
	{ discipline, stateCode }: CalendarQuery,
	now: Date,
): Promise<EventRow[]> {
	let select = db
		.selectFrom('events')
		.selectAll()
		.where('is_public', '=', true)
		.where('status', '<>', 'DRAFT')
		.where('ends_at', '>', new Date(now.getTime() - pastMs));
	if (discipline !== undefined) select = select.where(sql<boolean>`disciplines @> array[${discipline}]`);
	if (stateCode !== undefined) select = select.where('venue_state_code', '=', stateCode);
	return select.orderBy('start_date').orderBy('id').limit(eventsMax).execute();
}
