import type { EventRow, EventsQueryable } from '../database-schema.ts';

/** Published events that are not over and have a waiting list, earliest first. */
export function listEventsWithWaiting(
	db: EventsQueryable,
	now: Date,
): Promise<Pick<EventRow, 'id' | 'start_date'>[]> {
	return db
		.selectFrom('events')
		.select(['events.id', 'events.start_date'])
		.where('events.status', '=', 'PUBLISHED')
		.where('events.ends_at', '>', now)
		.where((eb) =>
			eb.exists(
				eb
					.selectFrom('entries')
					.select('entries.id')
					.whereRef('entries.event_id', '=', 'events.id')
					.where('entries.status', '=', 'WAITLISTED'),
			),
		)
		.orderBy('events.starts_at')
		.execute();
}

/** Locks a published event on behalf of the service itself. Undefined if it is no longer published. */
export function lockEventRow(db: EventsQueryable, id: string): Promise<EventRow | undefined> {
	return db
		.selectFrom('events')
		.selectAll()
		.where('id', '=', id)
		.where('status', '=', 'PUBLISHED')
		.forUpdate()
		.executeTakeFirst();
}
