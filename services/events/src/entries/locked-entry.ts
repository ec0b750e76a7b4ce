import { inTransaction } from '@paddock/database';
import type { Principal } from '@paddock/identity';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import type { CallContext } from '../directory/call-context.ts';
import { type FullEntryRow, getEntryRow } from '../repository/entries.ts';
import { getEventRow, lockEvent } from '../repository/events.ts';
import type { Entry } from '../schemas/entry.ts';
import type { EntryParties } from './entry-scope.ts';
import { toEntry } from './entry-view.ts';
import { blockedEntries, promoteWaiting } from './promote-waiting.ts';

/** A request that changes one entry. */
export interface EntryCall extends CallContext {
	/** `id` is the event's. */
	readonly params: { readonly id: string; readonly entryId: string };
	readonly principal: Principal;
	readonly now: Date;
}

/** An entry whose event is locked. */
export interface LockedEntry {
	readonly db: EventsQueryable;
	readonly event: EventRow;
	readonly entry: FullEntryRow;
	/** Gives free places to waiting entries. */
	promoteWaiting(): Promise<void>;
}

/** What one kind of change does with an entry. */
export interface EntryChange<Prepared extends { readonly present?: EntryParties }> {
	/** Before the lock: checks the caller's right and calls other services, so that a slow one holds up no other entry. */
	prepare(event: EventRow, entry: FullEntryRow): Promise<Prepared>;
	/** In the transaction. */
	apply(locked: LockedEntry, prepared: Prepared): Promise<void>;
}

/**
 * Changes one entry:
 *  1. the event and the entry, `prepare`, the waiting entries that may not start
 *  2. the caller's turn among the entries of this event
 *  3. one transaction: lock the event, `apply`
 * Resolves with the entry as the caller may read it.
 * @throws ApiError NOT_FOUND, and whatever the change throws.
 */
export async function changeEntry<Prepared extends { readonly present?: EntryParties }>(
	request: EntryCall,
	{ db, directory, entryQueue }: Pick<EventsDeps, 'db' | 'directory' | 'entryQueue'>,
	change: EntryChange<Prepared>,
): Promise<Entry> {
	const { params, principal, now, signal } = request;
	const read = await getEventRow(db, params.id, principal); // 1
	const prepared = await change.prepare(read, await getEntryRow(db, params));
	const blocked = await blockedEntries(db, read, directory, request);
	const leave = await entryQueue.enter(params.id, signal); // 2
	try {
		return await inTransaction(db, async (transaction) => {
			const event = await lockEvent(transaction, params.id, principal); // 3
			// The lock may have taken longer than the caller waits; a time-out has been reported then.
			signal.throwIfAborted();
			const locked: LockedEntry = {
				db: transaction,
				event,
				entry: await getEntryRow(transaction, params),
				promoteWaiting: async () => {
					await promoteWaiting(transaction, event, now, blocked);
				},
			};
			await change.apply(locked, prepared);
			const { present } = prepared;
			return toEntry(await getEntryRow(transaction, params), { principal, now, present });
		});
	} finally {
		leave();
	}
}
