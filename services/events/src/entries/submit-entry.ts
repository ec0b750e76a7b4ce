import { once } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import type { CallContext } from '../directory/call-context.ts';
import { eventOfEntry, insertEntry } from '../repository/entries.ts';
import { getEventRow, lockEvent } from '../repository/events.ts';
import type { Entry } from '../schemas/entry.ts';
import type { EntryBody } from '../schemas/entry-body.ts';
import { toEntry } from './entry-view.ts';
import { type EntryQuestion, judgeEntry } from './judge-entry.ts';
import { entrySnapshot, requireAcceptable } from './new-entry.ts';
import { findParticipants, partiesOf, requireConcerned } from './participants.ts';
import { blockedEntries, promoteWaiting } from './promote-waiting.ts';

/** A request for an entry. */
export interface EntryRequest extends CallContext {
	readonly eventId: string;
	readonly body: EntryBody;
	readonly principal: Principal;
	readonly idempotencyKey: string | undefined;
	readonly now: Date;
}

/**
 * Creates an entry:
 *  1. read the event, then rider, horse and age classes in parallel; check that the caller may enter them
 *  2. wait for the turn in the queue of this event
 *  3. one transaction: lock the event, promote waiting entries to free places first, judge, store
 * Other services are called before the lock, so that a slow one delays no other entry.
 * @throws ApiError NOT_FOUND, OUT_OF_SCOPE, MEMBER_NOT_ACTIVE, ENTRY_NOT_ALLOWED with the checks that the caller may
 * read, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT.
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
				requireConcerned(principal, partiesOf(event, body, participants));
				const blocked = await blockedEntries(deps.db, event, deps.directory, request);
				leave = await deps.entryQueue.enter(eventId, signal); // 2
				return { participants, blocked };
			},
			effect: async (transaction, { participants, blocked }) => {
				const event = await lockEvent(transaction, eventId, principal); // 3
				// The lock wait may have exceeded the caller's timeout, which has then been reported.
				signal.throwIfAborted();
				await promoteWaiting(transaction, event, now, blocked);
				return storeEntry(transaction, event, { body, participants, principal, now });
			},
		});
	} finally {
		leave();
	}
}

async function storeEntry(db: EventsQueryable, event: EventRow, question: EntryQuestion): Promise<Entry> {
	const judgement = await judgeEntry(db, event, question);
	const pair = requireAcceptable(question, judgement);
	const { principal, now } = question;
	const row = {
		...entrySnapshot(event, question, judgement, pair),
		event_id: event.id,
		entry_number: judgement.counters.nextNumber,
		status_reason: null,
		entered_by: principal.userId,
		created_at: now,
	};
	const starts = judgement.competitions.map(({ id, start_fee }) => ({ competition_id: id, start_fee }));
	const stored = await insertEntry(db, row, starts);
	return toEntry({ ...stored, ...eventOfEntry(event) }, question);
}
