import { ageInYear } from '@paddock/calendar';
import { once } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import type { CallContext } from '../directory/call-context.ts';
import type { HorseReference, MemberReference } from '../directory/references.ts';
import type { NewEntryRow } from '../entry-tables.ts';
import { failEvents } from '../errors.ts';
import { insertEntry } from '../repository/entries.ts';
import { toEntry } from '../repository/entry-rows.ts';
import { getEventRow, lockEvent } from '../repository/events.ts';
import type { Entry, EntryBody } from '../schemas/entry.ts';
import { ageClassCodes } from './age-class.ts';
import { riderName } from './check-rider.ts';
import { isAcceptable } from './entry-check.ts';
import { keepersOf } from './entry-scope.ts';
import { type EntryQuestion, type Judgement, judgeEntry } from './judge-entry.ts';
import { findParticipants, requireConcerned } from './participants.ts';

/** A request for an entry. */
export interface EntryRequest extends CallContext {
	readonly eventId: string;
	readonly body: EntryBody;
	readonly principal: Principal;
	readonly idempotencyKey: string | undefined;
	readonly now: Date;
}

/**
 * Makes an entry:
 *  1. the event, and at once rider, horse and age classes, of whom they belong to; may the caller?
 *  2. the caller's turn among the entries of this event
 *  3. one transaction: lock the event, judge, store
 * Other services are asked before the lock, so that a slow one holds up nobody else.
 * @throws ApiError NOT_FOUND, OUT_OF_SCOPE, ENTRY_NOT_ALLOWED with all checks, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT.
 */
export async function submitEntry(request: EntryRequest, deps: EventsDeps): Promise<Entry> {
	const { eventId, body, principal, idempotencyKey, now, signal } = request;
	let leave = (): void => {};
	const keyed = {
		key: idempotencyKey,
		userId: principal.userId,
		operationId: 'createEntry',
		input: { eventId, body },
		now,
	};
	try {
		return await once(deps.db, keyed, {
			check: async () => {
				const event = await getEventRow(deps.db, eventId, principal); // 1
				const participants = await findParticipants(body, event, deps, request);
				requireConcerned(principal, event, body, participants);
				leave = await deps.turnstile.enter(eventId, signal); // 2
				return participants;
			},
			effect: async (transaction, participants) => {
				const event = await lockEvent(transaction, eventId, principal); // 3
				// The lock may have taken longer than the caller waits, who was told then that nothing came of it.
				signal.throwIfAborted();
				return storeEntry(transaction, event, { body, participants, principal, now });
			},
		});
	} finally {
		leave();
	}
}

async function storeEntry(db: EventsQueryable, event: EventRow, question: EntryQuestion): Promise<Entry> {
	const { rider, horse } = question.participants;
	const judgement = await judgeEntry(db, event, question);
	const { checks, competitions } = judgement;
	if (rider === undefined || horse === undefined || !isAcceptable(checks))
		throw failEvents('ENTRY_NOT_ALLOWED', { context: { checks } });
	const row = entryRow(event, question, judgement, { rider, horse });
	const starts = competitions.map(({ id, start_fee }) => ({ competition_id: id, start_fee }));
	return toEntry(await insertEntry(db, row, starts));
}

function entryRow(
	event: EventRow,
	{ participants, principal, now }: EntryQuestion,
	{ checks, type, hasPlace, amountDue, counters }: Judgement,
	{ rider, horse }: { readonly rider: MemberReference; readonly horse: HorseReference },
): NewEntryRow {
	const age = ageInYear(rider.dateOfBirth, event.start_date);
	return {
		event_id: event.id,
		entry_number: counters.nextNumber,
		type,
		status: hasPlace ? 'ACCEPTED' : 'WAITLISTED',
		status_reason: null,
		position: hasPlace ? null : counters.nextPosition,
		rider_member_id: rider.id,
		rider_name: riderName(rider),
		rider_club_id: rider.homeClubId,
		rider_club_name: rider.homeClubName,
		rider_nation: rider.nationality,
		rider_age_classes: [...ageClassCodes(participants.ageClasses, age, event.start_date)],
		horse_id: horse.id,
		horse_name: horse.name,
		horse_head_number: horse.headNumber,
		horse_birth_year: horse.birthYear,
		horse_sire_name: horse.sireName,
		horse_keeper_ids: [...keepersOf(horse)],
		checks: JSON.stringify(checks),
		amount_due: amountDue,
		entered_by: principal.userId,
		created_at: now,
		updated_at: now,
	};
}
