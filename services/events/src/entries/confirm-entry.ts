import { fail } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import { requireVersion } from '@paddock/service';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import type { CallContext } from '../directory/call-context.ts';
import { getEntryRow, noSuchEntry } from '../repository/entries.ts';
import { entryEventTimes, type FullEntryRow, partiesOfRow, toEntry } from '../repository/entry-rows.ts';
import { getEventRow, lockEvent } from '../repository/events.ts';
import { updateConfirmedEntry } from '../repository/pending-entries.ts';
import { promoteWaiting } from '../repository/places.ts';
import type { Entry } from '../schemas/entry.ts';
import { actsForRider, isConcerned } from './entry-scope.ts';
import { isOpenStatus, shownEntryStatus } from './entry-status.ts';
import { illegalStep } from './finish-entry.ts';
import { judgeEntry } from './judge-entry.ts';
import { entrySnapshot, requireAcceptable } from './new-entry.ts';
import { findParticipants, type Participants, partiesOf } from './participants.ts';
import { blockedEntries } from './waiting-pairs.ts';

/** The rider's side agrees to an entry that somebody else made. */
export interface ConfirmRequest extends CallContext {
	/** `id` is the event's. */
	readonly params: { readonly id: string; readonly entryId: string };
	readonly ifMatch: readonly number[] | undefined;
	readonly principal: Principal;
	readonly now: Date;
}

/**
 * Confirms an entry, which then becomes what a new one would become now:
 *  1. the entry, and rider and horse as they are; does the caller act for the rider?
 *  2. the caller's turn among the entries of this event
 *  3. one transaction: lock the event, judge, store
 * An entry that is confirmed already stays as it is: a client that lost the response sends the request again.
 * @throws ApiError NOT_FOUND; OUT_OF_SCOPE for others whom the entry concerns; ILLEGAL_STATE_TRANSITION;
 * ENTRY_NOT_ALLOWED, and the entry goes on waiting; MEMBER_NOT_ACTIVE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT.
 */
export async function confirmEntry(request: ConfirmRequest, deps: EventsDeps): Promise<Entry> {
	const { params, principal, signal } = request;
	const event = await getEventRow(deps.db, params.id, principal); // 1
	const read = await getEntryRow(deps.db, params);
	const ids = { riderMemberId: read.rider_member_id, horseId: read.horse_id };
	const participants = await findParticipants(ids, event, deps, request);
	if (!actsForRider(principal, partiesOf(event, ids, participants))) {
		if (!isConcerned(principal, partiesOfRow(read))) throw noSuchEntry();
		throw fail('OUT_OF_SCOPE', { message: 'The rider, a guardian or the home club confirms this entry.' });
	}
	const blocked = await blockedEntries(deps.db, event, deps.directory, request);
	const leave = await deps.turnstile.enter(params.id, signal); // 2
	try {
		return await inTransaction(deps.db, async (transaction) => {
			const locked = await lockEvent(transaction, params.id, principal); // 3
			// The lock may have taken longer than the caller waits, who was told then that nothing came of it.
			signal.throwIfAborted();
			const entry = await getEntryRow(transaction, params);
			if (!isOpenStatus(entry.status)) {
				// What is confirmed is what was read: the starts may have changed since.
				requireVersion(request.ifMatch, entry.version);
				await promoteWaiting(transaction, locked, request.now, blocked);
				await confirm(transaction, locked, entry, participants, request);
			}
			return toEntry(await getEntryRow(transaction, params), request);
		});
	} finally {
		leave();
	}
}

async function confirm(
	db: EventsQueryable,
	event: EventRow,
	entry: FullEntryRow,
	participants: Participants,
	{ principal, now }: ConfirmRequest,
): Promise<void> {
	const shown = shownEntryStatus(entry.status, entryEventTimes(entry), now);
	if (shown !== 'PENDING_CONFIRMATION') throw illegalStep(shown, 'ACCEPTED', []);
	const body = {
		riderMemberId: entry.rider_member_id,
		horseId: entry.horse_id,
		starts: entry.starts.filter(({ status }) => status === 'PENDING_CONFIRMATION'),
		type: entry.type,
	};
	const question = { body, participants, principal, now };
	const judgement = await judgeEntry(db, event, question);
	const pair = requireAcceptable(question, judgement);
	await updateConfirmedEntry(db, entry.id, entrySnapshot(event, question, judgement, pair));
}
