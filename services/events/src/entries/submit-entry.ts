import { AsyncLocalStorage } from 'node:async_hooks';
import { changeAuthor } from '@paddock/contract';
import { findResponse, keyedRequest } from '@paddock/database';
import type { RecordCall } from '@paddock/service';
import type { EventRow } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { visibleTo } from '../events/access.ts';
import { getEnteredEvent } from '../events/store.ts';
import { isAcceptable } from './entry-check.ts';
import { judgeEntry } from './judge-entry.ts';
import { requireBoxesOffered, sumOf } from './ledger.ts';
import { requireOverridesAllowed } from './overrides.ts';
import {
	findParticipants,
	type Participants,
	partiesOf,
	requireConcerned,
} from './rights/present-parties.ts';
import { noteActing } from './rights/sides.ts';
import type { EntryBody, EntryVerdict } from './schemas.ts';
import { type PreparedEntry, storeEntries } from './store-entries.ts';
import type { Entry } from './view-schemas.ts';
import { blockedFromFreePlaces } from './waiting-list.ts';

/** Stores nothing. @throws ApiError, see the route; errors of peer calls. */
export async function previewEntry(request: RecordCall<EntryBody>, deps: EventsDeps): Promise<EntryVerdict> {
	const { event, participants } = await checkCaller(request, deps);
	const { body, principal, now } = request;
	const judgement = await judgeEntry(deps.db, event, { body, participants, principal, now });
	const acceptable = isAcceptable(judgement.checks);
	return {
		acceptable,
		checks: judgement.readableChecks,
		amountDue: sumOf(judgement.charges),
		currency: event.currency,
		wouldBe: acceptable ? judgement.status : null,
	};
}

/**
 * Creates an entry:
 *  1. if many wait for this event, wait for the others that arrive, so that rider and horse are read in shared calls
 *  2. read the event, then rider, horse and age classes in parallel; check that the caller may enter them
 *  3. wait for the turn in the queue of this event, together with others that wait
 *  4. one transaction: lock the event, promote waiting entries to free places first, judge, store
 * Services are called before the lock, so that a slow one delays no other entry. @throws ApiError, see the route.
 */
export async function submitEntry(request: RecordCall<EntryBody>, deps: EventsDeps): Promise<Entry> {
	const { params, body, principal, signal } = request;
	const { db, directory, entryQueue } = deps;
	const eventId = params.id;
	await entryQueue.gather(eventId, signal); // 1
	const keyed = keyedRequest(request, { operationId: 'createEntry', input: { eventId, body } });
	const known = keyed && (await findResponse(db, keyed));
	if (known !== undefined) return known.data as Entry;
	await request.requireWriter?.();
	const { event, participants } = await checkCaller(request, deps); // 2
	const blocked = event.hasWaiting
		? await blockedFromFreePlaces(db, event, directory, request)
		: new Set<string>();
	const scope = visibleTo(principal);
	const author = changeAuthor.getStore();
	return await entryQueue.together(
		// 3
		eventId,
		{
			kind: JSON.stringify(scope),
			item: { request, keyed, participants, blocked, author, inContext: AsyncLocalStorage.snapshot() },
			work: (prepared: readonly PreparedEntry[]) => storeEntries(prepared, { id: eventId, scope }, deps), // 4
		},
		signal,
	);
}

async function checkCaller(
	request: RecordCall<EntryBody>,
	{ db, directory }: EventsDeps,
): Promise<{
	readonly event: EventRow & { readonly hasWaiting: boolean };
	readonly participants: Participants;
}> {
	const { params, body, principal } = request;
	const event = await getEnteredEvent(db, params.id, visibleTo(principal));
	requireBoxesOffered(event, body.boxes ?? 0);
	requireOverridesAllowed(body.overrides, principal, event);
	const participants = await findParticipants(body, event, directory, request);
	const parties = partiesOf(event, body, participants);
	requireConcerned(participants.acting, parties);
	noteActing(participants.acting, parties);
	return { event, participants };
}
