import { inTransaction } from '@paddock/database';
import { type RecordCall, requireVersion } from '@paddock/service';
import { competitionRows } from '../competitions/store.ts';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { cancelEntriesOfEvent } from '../entries/store.ts';
import type { EventStep } from '../enumerations.ts';
import { getManagedEvent, lockManagedEvent } from './access.ts';
import {
	type Missing,
	missingReferences,
	type PublishedRows,
	referencesKey,
	requireReadiness,
} from './publish.ts';
import { requireStep } from './rules.ts';
import { takeStep } from './store.ts';
import { getEvent } from './view.ts';
import type { Cancellation, Event } from './view-schemas.ts';

/** Publishes a draft. @throws ApiError, see the route; errors of peer calls. */
export async function publishEvent(call: RecordCall, deps: EventsDeps): Promise<Event> {
	const missingIn = await checkReferences(call, deps);
	return step(call, deps, { to: 'PUBLISHED' }, async (transaction, event) => {
		const competitions = await competitionRows(transaction, event.id);
		const references = missingIn({ event, competitions });
		requireReadiness({ entryDeadline: event.entryDeadline, competitions, references }, call.now);
	});
}

/** Cancels an event and every entry. @throws ApiError, see the route. */
export function cancelEvent(call: RecordCall<Cancellation>, deps: EventsDeps): Promise<Event> {
	const { reason } = call.body;
	return step(call, deps, { to: 'CANCELLED', reason }, (transaction, event) =>
		cancelEntriesOfEvent(transaction, event.id, call.now),
	);
}

/** Declares an event over. @throws ApiError, see the route. */
export function completeEvent(call: RecordCall, deps: EventsDeps): Promise<Event> {
	return step(call, deps, { to: 'COMPLETED' });
}

/** `accompany` checks preconditions and applies further changes, in the same transaction. */
function step(
	call: RecordCall,
	{ db }: EventsDeps,
	taken: { readonly to: EventStep; readonly reason?: string },
	accompany?: (transaction: EventsQueryable, event: EventRow) => Promise<unknown>,
): Promise<Event> {
	const { params, preconditions, now } = call;
	return inTransaction(db, async (transaction) => {
		const stored = await lockManagedEvent(transaction, call);
		requireVersion(preconditions, stored.version);
		requireStep(taken.to, stored, now);
		await accompany?.(transaction, stored);
		await takeStep(transaction, params.id, { ...taken, now });
		return getEvent(transaction, params.id, call);
	});
}

const referencesChanged: Missing = {
	code: 'REFERENCES_CHANGED',
	message: 'The event was changed during the publication; publish it again.',
};

/**
 * Runs before the transaction, so that no row is locked during a call; resolves with the missing references of the rows
 * that are published.
 */
async function checkReferences(
	call: RecordCall,
	{ db, directory }: EventsDeps,
): Promise<(rows: PublishedRows) => readonly Missing[]> {
	const event = await getManagedEvent(db, call);
	// The step is refused later for any other status.
	if (event.status !== 'DRAFT') return () => [];
	const seen = { event, competitions: await competitionRows(db, event.id) };
	const missing = await missingReferences(directory, seen, call);
	return (rows) => (referencesKey(rows) === referencesKey(seen) ? missing : [referencesChanged]);
}
