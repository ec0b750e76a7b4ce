import { apiError } from '@paddock/contract';
import {
	changedAt,
	isSequenceUsedUp,
	type NumberSpace,
	prepared,
	refusals,
	refusing,
	searchLines,
} from '@paddock/database';
import { type RawBuilder, sql, type Updateable } from 'kysely';
import type { EventRow, EventsQueryable, EventsSchema, NewEventRow } from '../database-schema.ts';
import type { EventStep } from '../enumerations.ts';
import { eventsError } from '../errors.ts';
import type { EventBody } from './schemas.ts';
import type { Event } from './view-schemas.ts';

const taken = refusals(eventsError, { events_event_number_key: 'EVENT_NUMBER_TAKEN' });

export type EventSnapshot = Pick<
	EventRow,
	| 'venueName'
	| 'venueCity'
	| 'venueStateCode'
	| 'venueCountryCode'
	| 'venueTimeZone'
	| 'organiserClubName'
	| 'startsAt'
	| 'endsAt'
>;

interface EventDraft {
	readonly body: EventBody;
	readonly snapshot: EventSnapshot;
	readonly now: Date;
}

/** Without a number in the body it gets the next free one. @throws ApiError EVENT_NUMBER_TAKEN, EVENT_NUMBERS_USED_UP */
export async function insertEvent(db: EventsQueryable, draft: EventDraft): Promise<EventRow> {
	const { eventNumber } = draft.body;
	for (;;) {
		const number = eventNumber ?? (await nextNumber(db));
		const row = await db
			.insertInto('events')
			.values({ ...eventRow(draft, number), createdAt: draft.now })
			.onConflict((conflict) => conflict.column('eventNumber').doNothing())
			.returningAll()
			.executeTakeFirst();
		if (row !== undefined) return row;
		// An officer assigned this number before the sequence reached it.
		if (eventNumber !== undefined) throw eventsError('EVENT_NUMBER_TAKEN');
	}
}

/** Assigned in order; one that a deleted draft had is not assigned again. */
export const eventNumbers: NumberSpace = { size: 99_999, used: sql`(select last_value from event_numbers)` };

/** @throws ApiError EVENT_NUMBERS_USED_UP */
async function nextNumber(db: EventsQueryable): Promise<string> {
	try {
		const { number } = await db
			.selectNoFrom(sql<number>`nextval('event_numbers')`.as('number'))
			.executeTakeFirstOrThrow();
		return String(number).padStart(5, '0');
	} catch (cause) {
		if (!isSequenceUsedUp(cause)) throw cause;
		throw eventsError('EVENT_NUMBERS_USED_UP', { cause });
	}
}

/** Needs the lock on the row. @throws ApiError EVENT_NUMBER_TAKEN */
export async function updateEvent(
	db: EventsQueryable,
	stored: EventRow,
	draft: EventDraft,
): Promise<EventRow> {
	const number = draft.body.eventNumber ?? stored.eventNumber;
	const update = db
		.updateTable('events')
		.set({ ...eventRow(draft, number), version: sql`version + 1` })
		.where('id', '=', stored.id)
		.returningAll();
	return refusing(taken, update.executeTakeFirstOrThrow());
}

/** Needs the lock on the row. */
export function moveEvent(
	db: EventsQueryable,
	id: string,
	dates: Pick<
		EventRow,
		'startDate' | 'endDate' | 'startsAt' | 'endsAt' | 'entriesOpenAt' | 'entryDeadline' | 'lateEntryUntil'
	>,
	now: Date,
): Promise<EventRow> {
	return db
		.updateTable('events')
		.set({ ...dates, ...changedAt(now) })
		.where('id', '=', id)
		.returningAll()
		.executeTakeFirstOrThrow();
}

export interface TakenStep {
	readonly to: EventStep;
	/** The reason of a cancellation, or the remarks of a return. */
	readonly reason?: string;
	readonly warnings?: EventRow['approvalWarnings'];
}

/** Needs the lock on the row. */
export async function takeStep(
	db: EventsQueryable,
	id: string,
	step: TakenStep & { readonly now: Date },
): Promise<void> {
	await db
		.updateTable('events')
		.set({ ...stepColumns(step), ...changedAt(step.now) })
		.where('id', '=', id)
		.execute();
}

function stepColumns({
	to,
	reason,
	warnings,
	now,
}: TakenStep & { readonly now: Date }): Updateable<EventsSchema['events']> {
	switch (to) {
		case 'DRAFT':
			return { approval: null };
		case 'SUBMITTED':
			return { approval: to, submittedAt: now, approvalWarnings: JSON.stringify(warnings ?? []) };
		case 'RETURNED':
			return { approval: to, approvalRemarks: reason ?? null };
		case 'PUBLISHED':
			return { status: to, approval: null, approvalRemarks: null };
		default:
			return { status: to, cancelledReason: reason ?? null };
	}
}

export async function deleteEvent(db: EventsQueryable, id: string): Promise<void> {
	await db.deleteFrom('events').where('id', '=', id).execute();
}

export function eventRow(
	{ body, snapshot, now }: EventDraft,
	eventNumber: string,
): Omit<NewEventRow, 'createdAt'> {
	const { venueName, venueCity, organiserClubName } = snapshot;
	return {
		...eventColumns(body),
		...snapshot,
		eventNumber,
		officials: JSON.stringify(body.officials),
		searchText: searchLines(body.name, eventNumber, venueName, venueCity, organiserClubName, body.category),
		updatedAt: now,
	};
}

export function eventColumns(body: EventBody) {
	const { eventNumber, officials, fees, maxBoxes, entriesOpenAt, entryDeadline, lateEntryUntil, ...columns } =
		body;
	const instantOf = (text: string | null) => (text === null ? null : new Date(text));
	return {
		...columns,
		entriesOpenAt: instantOf(entriesOpenAt),
		entryDeadline: instantOf(entryDeadline),
		lateEntryUntil: instantOf(lateEntryUntil),
		entryFee: fees.entryFee,
		lateSurcharge: fees.lateSurcharge,
		stableFee: fees.stable,
		// A change has the stored values of what its request left out (`Update`), so that absent means cleared.
		currency: fees.currency,
		swapFee: fees.swap ?? 0,
		maxBoxes: maxBoxes ?? null,
	};
}

type EventCounts = Event['counts'];

export type CountedEventRow = EventRow & { readonly counts: EventCounts };

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

/** The same with whether entries wait for a place at it. @throws ApiError NOT_FOUND */
export function getEnteredEvent(db: EventsQueryable, id: string, scope: EventScope) {
	const isWaiting = sql<boolean>`exists (select from entries where event_id = events.id and status = 'WAITLISTED')`;
	const event = visibleEvent(db, id, scope).select(isWaiting.as('hasWaiting'));
	return prepared(() => event.executeTakeFirstOrThrow(noSuchEvent));
}

/** Every change of the event, its competitions or its places takes this lock before it queries. @throws ApiError NOT_FOUND */
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

/** Published events, non-public ones only when signed in, and all events of these clubs. */
export interface EventScope {
	readonly isSignedIn: boolean;
	readonly clubs: 'all' | readonly string[];
}

export function isVisible({ isSignedIn, clubs }: EventScope): RawBuilder<boolean> {
	if (clubs === 'all') return sql<boolean>`true`;
	const published = sql<boolean>`(events.status <> 'DRAFT' and (events.is_public or ${isSignedIn}))`;
	if (clubs.length === 0) return published;
	return sql<boolean>`(${published} or events.organiser_club_id = any (${[...clubs]}::uuid[]))`;
}

function visibleEvent(db: EventsQueryable, id: string, scope: EventScope) {
	return db.selectFrom('events').selectAll().where('id', '=', id).where(isVisible(scope));
}
