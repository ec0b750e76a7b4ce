import { apiError } from '@paddock/contract';
import { inTransaction } from '@paddock/database';
import { type RecordCall, requireVersion } from '@paddock/service';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { visibleTo } from '../events/access.ts';
import { getEventRow, lockEvent } from '../events/store.ts';
import type { MailJobs } from './new-entry-texts.ts';
import { type EntryParties, noteActing } from './rights/sides.ts';
import { type FullEntryRow, getEntryRow } from './store.ts';
import { toEntry } from './view.ts';
import type { Entry } from './view-schemas.ts';
import { blockedEntries, promoteWaiting } from './waiting-list.ts';

export interface EntryCall<Body = unknown> extends RecordCall<Body> {
	readonly params: { readonly id: string; readonly entryId: string };
}

export type EntryRequest = Omit<EntryCall, 'body'>;

export interface LockedEntry {
	readonly db: EventsQueryable;
	readonly event: EventRow;
	readonly entry: FullEntryRow;
	readonly jobs: MailJobs;
	promoteWaiting(): Promise<void>;
}

export type EntryDeps = Pick<
	EventsDeps,
	'db' | 'jobs' | 'directory' | 'entryQueue' | 'freeWithdrawalMs' | 'refundsFilledPlaces'
>;

interface EntryChange<Prepared extends { readonly present?: EntryParties }> {
	/** Before the lock: checks the caller's permission and calls other services, so that a slow one blocks no other entry. */
	prepare(event: EventRow, entry: FullEntryRow): Promise<Prepared>;
	apply(locked: LockedEntry, prepared: Prepared): Promise<void>;
}

/**
 * Changes one entry:
 *  1. read event and entry, run `prepare`, find the waiting entries that cannot be promoted
 *  2. wait for the turn in the queue of this event
 *  3. one transaction: lock the event, compare the parties with those that were read, `apply`
 * Resolves with the representation that the caller may read.
 * @throws ApiError NOT_FOUND; CONFLICT if the entry was passed on or the event has another organiser since; errors of the change.
 */
export async function changeEntry<Prepared extends { readonly present?: EntryParties }>(
	request: EntryRequest,
	{ db, jobs, directory, entryQueue, freeWithdrawalMs }: EntryDeps,
	change: EntryChange<Prepared>,
): Promise<Entry> {
	const { params, principal, now, signal } = request;
	const read = await getEventRow(db, params.id, visibleTo(principal)); // 1
	const entryRead = await getEntryRow(db, params);
	const partiesRead = { ...entryRead, organiserClubId: read.organiserClubId };
	const prepared = await change.prepare(read, entryRead);
	if (prepared.present !== undefined) noteActing(principal, prepared.present);
	const blocked = await blockedEntries(db, read, directory, request);
	const leave = await entryQueue.enter(params.id, signal); // 2
	try {
		return await inTransaction(db, async (transaction) => {
			const event = await lockEvent(transaction, params.id, visibleTo(principal)); // 3
			// The lock wait may have exceeded the caller's timeout, which has then been reported.
			signal.throwIfAborted();
			const entry = await getEntryRow(transaction, params);
			requireSameParties(
				partiesRead,
				entry,
				request,
				prepared.present === undefined ? organiserOnly : allParties,
			);
			const locked: LockedEntry = {
				db: transaction,
				event,
				jobs,
				entry,
				promoteWaiting: async () => {
					await promoteWaiting(transaction, event, { now, blocked, freeWithdrawalMs, jobs });
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

type PartyId = 'organiserClubId' | 'riderMemberId' | 'horseId';

const organiserOnly = ['organiserClubId'] as const;
const allParties = [...organiserOnly, 'riderMemberId', 'horseId'] as const;

/** Rights and facts were looked up for the parties as they were read. @throws ApiError PRECONDITION_FAILED, CONFLICT if they have changed since */
export function requireSameParties(
	read: Pick<FullEntryRow, PartyId>,
	locked: Pick<FullEntryRow, PartyId | 'version'>,
	{ preconditions }: Pick<EntryRequest, 'preconditions'>,
	parties: readonly PartyId[] = allParties,
): void {
	if (parties.every((party) => read[party] === locked[party])) return;
	requireVersion(preconditions, locked.version);
	throw apiError('CONFLICT');
}
