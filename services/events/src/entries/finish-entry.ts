import { inTransaction } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { failEvents } from '../errors.ts';
import { requireManager } from '../event-access.ts';
import { eventStatus } from '../event-status.ts';
import { endEntry, getEntryRow, noSuchEntry } from '../repository/entries.ts';
import { type FullEntryRow, toEntry } from '../repository/entry-rows.ts';
import { timesOf } from '../repository/event-rows.ts';
import { lockEvent } from '../repository/events.ts';
import { promoteWaiting } from '../repository/places.ts';
import type { Entry } from '../schemas/entry.ts';
import { amountLeft } from './amount-due.ts';
import { isConcerned } from './entry-scope.ts';
import { allowedSteps } from './entry-status.ts';

/** A request that an entry ends. */
export interface FinishRequest {
	/** `id` is the event's. */
	readonly params: { readonly id: string; readonly entryId: string };
	readonly principal: Principal;
	readonly signal: AbortSignal;
	readonly now: Date;
}

type Deps = Pick<EventsDeps, 'db' | 'turnstile'>;

/**
 * Takes an entry back and gives its place to the waiting list. One that is withdrawn already stays as it is: whoever lost
 * the answer asks again.
 * @throws ApiError NOT_FOUND, also for those whom it doesn't concern; ILLEGAL_STATE_TRANSITION
 */
export function withdrawEntry(request: FinishRequest, deps: Deps): Promise<Entry> {
	return finishing(request, deps, async (db, event, entry) => {
		if (entry.status === 'WITHDRAWN') return;
		await finish(db, event, entry, { to: 'WITHDRAWN', reason: null, now: request.now });
	});
}

/**
 * The organiser's refusal; the place goes to the waiting list.
 * @throws ApiError NOT_FOUND; OUT_OF_SCOPE for those who don't run the event; ILLEGAL_STATE_TRANSITION
 */
export function rejectEntry(request: FinishRequest, reason: string, deps: Deps): Promise<Entry> {
	return finishing(request, deps, async (db, event, entry) => {
		requireManager(request.principal, event.organiser_club_id);
		await finish(db, event, entry, { to: 'REJECTED', reason, now: request.now });
	});
}

async function finishing(
	{ params, principal, signal }: FinishRequest,
	{ db, turnstile }: Deps,
	work: (db: EventsQueryable, event: EventRow, entry: FullEntryRow) => Promise<void>,
): Promise<Entry> {
	const leave = await turnstile.enter(params.id, signal);
	try {
		return await inTransaction(db, async (transaction) => {
			const event = await lockEvent(transaction, params.id, principal);
			// The lock may have taken longer than the caller waits, who was told then that nothing came of it.
			signal.throwIfAborted();
			const entry = await getEntryRow(transaction, params);
			requireVisible(principal, event, entry);
			await work(transaction, event, entry);
			return toEntry(await getEntryRow(transaction, params));
		});
	} finally {
		leave();
	}
}

/** @throws ApiError NOT_FOUND: that somebody is entered somewhere is nobody else's business. */
export function requireVisible(
	principal: Principal,
	event: Pick<EventRow, 'organiser_club_id'>,
	entry: FullEntryRow,
): void {
	const parties = {
		organiserClubId: event.organiser_club_id,
		riderMemberId: entry.rider_member_id,
		riderClubId: entry.rider_club_id,
		horseKeeperIds: entry.horse_keeper_ids,
	};
	if (!isConcerned(principal, parties)) throw noSuchEntry();
}

interface Finish {
	readonly to: 'WITHDRAWN' | 'REJECTED';
	readonly reason: string | null;
	readonly now: Date;
}

async function finish(
	db: EventsQueryable,
	event: EventRow,
	entry: FullEntryRow,
	{ to, reason, now }: Finish,
): Promise<void> {
	const shown = eventStatus(event.status, timesOf(event), now);
	const isOver = shown === 'COMPLETED' || shown === 'CANCELLED';
	const allowed = allowedSteps(entry.status, isOver);
	if (!allowed.includes(to)) {
		throw failEvents('ILLEGAL_STATE_TRANSITION', {
			context: { from: entry.status, to, allowed },
			...(isOver ? { message: 'The event is over.' } : {}),
		});
	}
	const amountDue = amountLeft({
		from: entry.status,
		to,
		amountDue: entry.amount_due,
		entryDeadline: event.entry_deadline,
		now,
	});
	await endEntry(db, entry.id, { status: to, reason, amountDue }, now);
	await promoteWaiting(db, event, now);
}
