import { apiError } from '@paddock/contract';
import { type RawBuilder, sql } from 'kysely';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import { type EventStatus, unendedStatuses } from '../enumerations.ts';
import type { Event } from './event-schemas.ts';

/**
 * The events that a caller may see: published ones, non-public ones only when signed in, and all events of these clubs.
 */
export interface EventScope {
	readonly isSignedIn: boolean;
	readonly clubs: 'all' | readonly string[];
}

/** Counts of the rows that belong to an event. */
type EventCounts = Event['counts'];

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

const noSuchEvent = () => apiError('NOT_FOUND', { message: 'There is no such event.' });

/** The row with its counts. @throws ApiError NOT_FOUND, also for a draft of another organiser. */
export function getCountedEventRow(
	db: EventsQueryable,
	id: string,
	scope: EventScope,
): Promise<CountedEventRow> {
	return visibleEvent(db, id, scope).select(eventCounts).executeTakeFirstOrThrow(noSuchEvent);
}

/** The row without counts. @throws ApiError NOT_FOUND, also if the caller may not see the event. */
export function getEventRow(db: EventsQueryable, id: string, scope: EventScope): Promise<EventRow> {
	return visibleEvent(db, id, scope).executeTakeFirstOrThrow(noSuchEvent);
}

/**
 * Locks the row for the rest of the transaction. Every change of the event, its competitions or its places takes this
 * lock first, and queries everything else after it.
 * @throws ApiError NOT_FOUND
 */
export function lockEvent(db: EventsQueryable, id: string, scope: EventScope): Promise<EventRow> {
	return visibleEvent(db, id, scope).forUpdate().executeTakeFirstOrThrow(noSuchEvent);
}

/** The same on behalf of the service itself. Undefined if the event is no longer published. */
export function lockPublishedEvent(db: EventsQueryable, id: string): Promise<EventRow | undefined> {
	return db
		.selectFrom('events')
		.selectAll()
		.where('id', '=', id)
		.where('status', '=', 'PUBLISHED')
		.forUpdate()
		.executeTakeFirst();
}

/** Whether the event ever had an entry. Valid only while the event is locked. */
export async function hasEntries(db: EventsQueryable, eventId: string): Promise<boolean> {
	const entry = db.selectFrom('entries').select('id').where('eventId', '=', eventId).limit(1);
	return (await entry.executeTakeFirst()) !== undefined;
}

export interface UnsettledEvent extends Pick<EventRow, 'id' | 'startDate' | 'status' | 'ruleset'> {
	/** Whether entries have to be judged again. */
	readonly isInDoubt: boolean;
}

/** Published events that are not over and have a waiting list or entries to be judged again, earliest first. */
export function listUnsettledEvents(db: EventsQueryable, now: Date): Promise<UnsettledEvent[]> {
	const inDoubt = sql<boolean>`exists (
		select from entries
		where entries.event_id = events.id and entries.checks @> '[{"code": "NOT_RECHECKED"}]'
			and entries.status = any (${[...unendedStatuses]})
	)`;
	const waiting = sql<boolean>`(${inDoubt} or exists (
		select from entries where entries.event_id = events.id and entries.status = 'WAITLISTED'
	))`;
	return db
		.selectFrom('events')
		.select(['id', 'startDate', 'status', 'ruleset', inDoubt.as('isInDoubt')])
		.where('status', '=', 'PUBLISHED')
		.where('endsAt', '>', now)
		.where(waiting)
		.orderBy('startsAt')
		.execute();
}

function visibleEvent(db: EventsQueryable, id: string, scope: EventScope) {
	return db.selectFrom('events').selectAll().where('id', '=', id).where(isVisible(scope));
}

/** Whether a row of `events` is in the scope. */
export function isVisible({ isSignedIn, clubs }: EventScope): RawBuilder<boolean> {
	if (clubs === 'all') return sql<boolean>`true`;
	const published = sql<boolean>`(events.status <> 'DRAFT' and (events.is_public or ${isSignedIn}))`;
	if (clubs.length === 0) return published;
	return sql<boolean>`(${published} or events.organiser_club_id = any (${[...clubs]}::uuid[]))`;
}

/** `eventStatus` in SQL, over a row of `events`. */
export function shownStatus(now: Date): RawBuilder<EventStatus> {
	return sql<EventStatus>`
		case
			when events.status <> 'PUBLISHED' then events.status
			when events.ends_at <= ${now} then 'COMPLETED'
			when events.starts_at <= ${now} then 'IN_PROGRESS'
			when events.entries_open_at > ${now} then 'PUBLISHED'
			when events.entry_deadline >= ${now} then 'REGISTRATION_OPEN'
			else 'REGISTRATION_CLOSED'
		end`;
}

/** Whether the regular entry window is open at that instant: REGULAR of `entryWindow`, in SQL. */
export function openForEntry(now: Date): RawBuilder<boolean> {
	return sql<boolean>`(
		events.status = 'PUBLISHED' and events.ends_at > ${now} and events.entry_deadline >= ${now}
		and (events.entries_open_at is null or events.entries_open_at <= ${now})
	)`;
}
