import { asSystem, once } from '@paddock/database';
import type { RecordCall } from '@paddock/service';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { visibleTo } from '../events/access.ts';
import { getEnteredEvent, lockEvent } from '../events/store.ts';
import { actOf, noteActing } from './acts.ts';
import { isAcceptable, judgedBy } from './entry-check.ts';
import {
	chargesOf,
	type EntryQuestion,
	entrySnapshot,
	judgeEntry,
	requireAcceptable,
} from './judge-entry.ts';
import { requireBoxesOffered, sumOf } from './ledger.ts';
import { tellOfNewEntry } from './new-entry-texts.ts';
import { requireOverridesAllowed } from './overrides.ts';
import { readPlaces } from './places.ts';
import { refundFilledPlaces } from './refunds.ts';
import {
	findParticipants,
	type Participants,
	partiesOf,
	requireConcerned,
} from './rights/present-parties.ts';
import type { EntryBody, EntryVerdict } from './schemas.ts';
import { insertEntry } from './store.ts';
import { toEntry } from './view.ts';
import type { Entry } from './view-schemas.ts';
import { blockedFromFreePlaces, freePlaces, promoteWaiting } from './waiting-list.ts';

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
 *  3. wait for the turn in the queue of this event
 *  4. one transaction: lock the event, promote waiting entries to free places first, judge, store
 * Services are called before the lock, so that a slow one delays no other entry. @throws ApiError, see the route.
 */
export async function submitEntry(request: RecordCall<EntryBody>, deps: EventsDeps): Promise<Entry> {
	const { params, body, principal, now, signal } = request;
	const eventId = params.id;
	let leave = (): void => {};
	try {
		await deps.entryQueue.gather(eventId, signal); // 1
		return await once(deps.db, request, {
			operationId: 'createEntry',
			input: { eventId, body },
			check: async () => {
				const { event, participants } = await checkCaller(request, deps); // 2
				const blocked = event.hasWaiting
					? await blockedFromFreePlaces(deps.db, event, deps.directory, request)
					: new Set<string>();
				leave = await deps.entryQueue.enter(eventId, signal); // 3
				return { participants, blocked };
			},
			effect: async (transaction, { participants, blocked }) => {
				const event = await lockEvent(transaction, eventId, visibleTo(principal)); // 4
				// The lock wait may have exceeded the caller's timeout, which has then been reported.
				signal.throwIfAborted();
				const { freeWithdrawalMs, jobs } = deps;
				let taken = await readPlaces(transaction, event);
				const { entries: free } = freePlaces(event, taken.counters, taken.competitions, now);
				if (taken.counters.nextPosition > 1 && (free === null || free > 0)) {
					await promoteWaiting(transaction, event, { now, blocked, freeWithdrawalMs, jobs });
					taken = await readPlaces(transaction, event);
				}
				const question = { body, participants, principal: participants.acting, now, taken };
				return storeEntry(transaction, event, question, deps);
			},
		});
	} finally {
		leave();
	}
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

async function storeEntry(
	db: EventsQueryable,
	event: EventRow,
	question: EntryQuestion,
	{ countOverrides, jobs }: Pick<EventsDeps, 'countOverrides' | 'jobs'>,
): Promise<Entry> {
	const judgement = await judgeEntry(db, event, question);
	const pair = requireAcceptable(question, judgement);
	const { principal, now } = question;
	const row = {
		...entrySnapshot(event, question, judgement, pair),
		eventId: event.id,
		entryNumber: judgement.counters.nextNumber,
		enteredBy: principal.userId,
		createdAt: now,
	};
	const starts = judgement.competitions.map(({ id, startFee }) => ({ competitionId: id, startFee }));
	countOverrides(judgement.overrides);
	const act = actOf('ENTERED', partiesOf(event, question.body, question.participants), question);
	const stored = await insertEntry(db, row, { starts, lines: chargesOf(judgement), acts: [act] });
	const told = { ...row, judgedBy: judgedBy(pair.rider, pair.horse) };
	await tellOfNewEntry({ db, jobs, principal, now }, event, told);
	if (row.status === 'ACCEPTED' && judgement.counters.hasVacated)
		await asSystem(db, () => refundFilledPlaces(db, event, [stored.id], now));
	const { organiserClubId, entryDeadline, startsAt, endsAt, currency, status: eventStatus } = event;
	return toEntry(
		{ ...stored, organiserClubId, entryDeadline, startsAt, endsAt, currency, eventStatus },
		question,
	);
}
