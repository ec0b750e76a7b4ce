import { changedAt, refusals, refusing, searchLines } from '@paddock/database';
import { sql } from 'kysely';
import type { EventRow, EventsQueryable, NewEventRow } from '../database-schema.ts';
import type { EventStep } from '../enumerations.ts';
import { eventsError } from '../errors.ts';
import type { EventBody } from './schemas.ts';

const taken = refusals(eventsError, { events_event_number_key: 'EVENT_NUMBER_TAKEN' });

/** Data of other contexts that the event row stores. */
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

/** Input for an event row. */
interface EventDraft {
	readonly body: EventBody;
	readonly snapshot: EventSnapshot;
	readonly now: Date;
}

/** Inserts a DRAFT; without a number in the body it gets the next free one. @throws ApiError EVENT_NUMBER_TAKEN */
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

async function nextNumber(db: EventsQueryable): Promise<string> {
	const { number } = await db
		.selectNoFrom(sql<number>`nextval('event_numbers')`.as('number'))
		.executeTakeFirstOrThrow();
	return String(number).padStart(5, '0');
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

/** Needs the lock on the row. `reason` with CANCELLED only. */
export async function takeStep(
	db: EventsQueryable,
	id: string,
	step: { readonly to: EventStep; readonly reason?: string; readonly now: Date },
): Promise<void> {
	await db
		.updateTable('events')
		.set({ status: step.to, cancelledReason: step.reason ?? null, ...changedAt(step.now) })
		.where('id', '=', id)
		.execute();
}

/** Deletes the event with its competitions. */
export async function deleteEvent(db: EventsQueryable, id: string): Promise<void> {
	await db.deleteFrom('events').where('id', '=', id).execute();
}

/** The columns set from the body of a client or of the demo. */
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

/** The columns that store the body as it is. */
export function eventColumns(body: EventBody) {
	const { eventNumber, officials, fees, entriesOpenAt, entryDeadline, lateEntryUntil, ...columns } = body;
	const instantOf = (text: string | null) => (text === null ? null : new Date(text));
	return {
		...columns,
		entriesOpenAt: instantOf(entriesOpenAt),
		entryDeadline: instantOf(entryDeadline),
		lateEntryUntil: instantOf(lateEntryUntil),
		entryFee: fees.entryFee,
		lateSurcharge: fees.lateSurcharge,
		stableFee: fees.stable,
	};
}
