import { type Refusals, refusing, searchLines } from '@paddock/database';
import { sql } from 'kysely';
import type { EventRow, EventsQueryable, NewEventRow } from '../database-schema.ts';
import { eventsError } from '../errors.ts';
import type { EventSnapshot } from '../event-references.ts';
import type { EventStep } from '../event-steps.ts';
import type { EventBody } from '../schemas/event-body.ts';

const refusals: Refusals = {
	events_event_number_key: (cause) => eventsError('EVENT_NUMBER_TAKEN', { cause }),
};

/** Input for an event row. */
export interface EventDraft {
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
			.values({ ...eventRow(draft, number), created_at: draft.now })
			.onConflict((conflict) => conflict.column('event_number').doNothing())
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
	const number = draft.body.eventNumber ?? stored.event_number;
	const update = db
		.updateTable('events')
		.set({ ...eventRow(draft, number), version: sql`version + 1` })
		.where('id', '=', stored.id)
		.returningAll();
	return refusing(refusals, update.executeTakeFirstOrThrow());
}

/** Needs the lock on the row. `reason` with CANCELLED only. */
export async function takeStep(
	db: EventsQueryable,
	id: string,
	step: { readonly to: EventStep; readonly reason?: string; readonly now: Date },
): Promise<void> {
	await db
		.updateTable('events')
		.set({
			status: step.to,
			cancelled_reason: step.reason ?? null,
			updated_at: step.now,
			version: sql`version + 1`,
		})
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
	number: string,
): Omit<NewEventRow, 'created_at'> {
	const instantOf = (text: string | null) => (text === null ? null : new Date(text));
	return {
		...snapshot,
		event_number: number,
		name: body.name,
		description: body.description,
		start_date: body.startDate,
		end_date: body.endDate,
		venue_id: body.venueId,
		organiser_club_id: body.organiserClubId,
		ruleset: body.ruleset,
		category: body.category,
		disciplines: body.disciplines,
		is_public: body.isPublic,
		entries_open_at: instantOf(body.entriesOpenAt),
		entry_deadline: instantOf(body.entryDeadline),
		late_entry_until: instantOf(body.lateEntryUntil),
		max_entries: body.maxEntries,
		entry_fee: body.fees.entryFee,
		late_surcharge: body.fees.lateSurcharge,
		stable_fee: body.fees.stable,
		officials: JSON.stringify(body.officials),
		search_text: searchLines(
			body.name,
			number,
			snapshot.venue_name,
			snapshot.venue_city ?? null,
			snapshot.organiser_club_name,
			body.category,
		),
		updated_at: now,
	};
}
