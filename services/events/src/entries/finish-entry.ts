import { type ApiError, fail } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import type { CallContext } from '../directory/call-context.ts';
import { failEvents } from '../errors.ts';
import { requireManager } from '../event-access.ts';
import { eventStatus } from '../event-status.ts';
import { endEntry, findEntryRow, getEntryRow } from '../repository/entries.ts';
import { entryEventTimes, type FullEntryRow, partiesOfRow, toEntry } from '../repository/entry-rows.ts';
import { timesOf } from '../repository/event-rows.ts';
import { getEventRow, lockEvent } from '../repository/events.ts';
import { promoteWaiting } from '../repository/places.ts';
import type { Entry } from '../schemas/entry.ts';
import { amountLeft } from './amount-due.ts';
import { actsForRider } from './entry-scope.ts';
import { allowedSteps, type EntryStatus, type ShownEntryStatus, shownEntryStatus } from './entry-status.ts';
import { actsWithoutHorse, type KeptHorses, keptHorsesOf, requireVisible } from './kept-horses.ts';
import { blockedEntries } from './waiting-pairs.ts';

/** A request that an entry ends. */
export interface FinishRequest extends CallContext {
	/** `id` is the event's. */
	readonly params: { readonly id: string; readonly entryId: string };
	readonly principal: Principal;
	readonly now: Date;
}

type Deps = Pick<EventsDeps, 'db' | 'directory' | 'turnstile'>;

/** Ends one entry while its event is locked; `blocked` as `promoteWaiting` takes them. */
type Work = (
	db: EventsQueryable,
	event: EventRow,
	entry: FullEntryRow,
	blocked: ReadonlySet<string>,
) => Promise<void>;

/**
 * Takes an entry back and gives its place to the waiting list. One that is withdrawn already stays as it is: whoever lost
 * the answer asks again. By right of the horse only those withdraw who keep it now: the seller's right ended with the sale.
 * @throws ApiError NOT_FOUND, also for those whom it doesn't concern; OUT_OF_SCOPE for the horse's former keepers;
 * ILLEGAL_STATE_TRANSITION; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if the horse registry must be called and does not respond.
 */
export async function withdrawEntry(request: FinishRequest, deps: Deps): Promise<Entry> {
	const { principal, params } = request;
	const read = await findEntryRow(deps.db, params);
	const needsHorse = read !== undefined && !actsWithoutHorse(principal, read);
	const kept = needsHorse ? await keptHorsesOf(request, deps.directory) : new Set<string>();
	const work: Work = async (db, event, entry, blocked) => {
		if (!actsWithoutHorse(principal, entry) && !kept.has(entry.horse_id))
			throw fail('OUT_OF_SCOPE', { message: 'The horse has other owners now, who withdraw this entry.' });
		if (entry.status === 'WITHDRAWN') return;
		await finish(db, event, entry, { to: 'WITHDRAWN', reason: null, now: request.now, blocked });
	};
	return finishing(request, deps, work, kept);
}

/**
 * The rider's side refuses an entry that somebody else made. One that is declined already stays as it is.
 * @throws ApiError NOT_FOUND; OUT_OF_SCOPE for others whom the entry concerns; ILLEGAL_STATE_TRANSITION
 */
export function declineEntry(request: FinishRequest, deps: Deps): Promise<Entry> {
	return finishing(request, deps, async (db, event, entry, blocked) => {
		if (!actsForRider(request.principal, partiesOfRow(entry)))
			throw fail('OUT_OF_SCOPE', { message: 'The rider, a guardian or the home club declines this entry.' });
		if (entry.status === 'DECLINED') return;
		await finish(db, event, entry, { to: 'DECLINED', reason: null, now: request.now, blocked });
	});
}

/**
 * The organiser's refusal; the place goes to the waiting list.
 * @throws ApiError NOT_FOUND; OUT_OF_SCOPE for those who don't run the event; ILLEGAL_STATE_TRANSITION
 */
export function rejectEntry(request: FinishRequest, reason: string, deps: Deps): Promise<Entry> {
	return finishing(request, deps, async (db, event, entry, blocked) => {
		requireManager(request.principal, event.organiser_club_id);
		await finish(db, event, entry, { to: 'REJECTED', reason, now: request.now, blocked });
	});
}

async function finishing(
	request: FinishRequest,
	{ db, directory, turnstile }: Deps,
	work: Work,
	kept: KeptHorses = new Set(),
): Promise<Entry> {
	const { params, principal, signal } = request;
	const read = await getEventRow(db, params.id, principal);
	requireVisible(principal, await getEntryRow(db, params), kept);
	const blocked = await blockedEntries(db, read, directory, request);
	const leave = await turnstile.enter(params.id, signal);
	try {
		return await inTransaction(db, async (transaction) => {
			const event = await lockEvent(transaction, params.id, principal);
			// The lock may have taken longer than the caller waits, who was told then that nothing came of it.
			signal.throwIfAborted();
			const entry = await getEntryRow(transaction, params);
			requireVisible(principal, entry, kept);
			await work(transaction, event, entry, blocked);
			return toEntry(await getEntryRow(transaction, params), request);
		});
	} finally {
		leave();
	}
}

interface Finish {
	readonly to: 'WITHDRAWN' | 'REJECTED' | 'DECLINED';
	readonly reason: string | null;
	readonly now: Date;
	/** See `promoteWaiting`. */
	readonly blocked: ReadonlySet<string>;
}

async function finish(
	db: EventsQueryable,
	event: EventRow,
	entry: FullEntryRow,
	{ to, reason, now, blocked }: Finish,
): Promise<void> {
	const times = timesOf(event);
	const shown = eventStatus(event.status, times, now);
	const isOver = shown === 'COMPLETED' || shown === 'CANCELLED';
	const from = shownEntryStatus(entry.status, entryEventTimes(entry), now);
	const allowed = allowedSteps(from, isOver);
	if (!allowed.includes(to)) throw illegalStep(from, to, allowed, isOver);
	const amountDue = amountLeft({
		from: entry.status,
		to,
		amountDue: entry.amount_due,
		entryDeadline: event.entry_deadline,
		now,
	});
	await endEntry(db, entry.id, { status: to, reason, amountDue }, now);
	await promoteWaiting(db, event, now, blocked);
}

/** ILLEGAL_STATE_TRANSITION of an entry. */
export function illegalStep(
	from: ShownEntryStatus,
	to: EntryStatus,
	allowed: readonly EntryStatus[],
	eventIsOver = false,
): ApiError {
	return failEvents('ILLEGAL_STATE_TRANSITION', {
		context: { from, to, allowed },
		...(eventIsOver ? { message: 'The event is over.' } : {}),
	});
}
