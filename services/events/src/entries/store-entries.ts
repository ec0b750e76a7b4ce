import { AsyncLocalStorage } from 'node:async_hooks';
import { ApiError, apiError, type ChangeAuthor, changeAuthor } from '@paddock/contract';
import {
	asSystem,
	findResponse,
	hasTimedOut,
	inTransaction,
	type Keyed,
	type TakenKeys,
	takeKeys,
} from '@paddock/database';
import { requestDeadline } from '@paddock/resilience';
import type { RecordCall } from '@paddock/service';
import { activeSpan, inSharedSpan } from '@paddock/telemetry';
import type { EventRow, EventsQueryable, EventsSchema, StoredOverride } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { type EventScope, lockEvent } from '../events/store.ts';
import { judgedBy } from './entry-check.ts';
import {
	chargesOf,
	type EntryPair,
	type EntryQuestion,
	entrySnapshot,
	type Judgement,
	judgeEntry,
	requireAcceptable,
} from './judge-entry.ts';
import { daysOf, type HorseElsewhere, listStartsElsewhere } from './neighbours.ts';
import { type MailJobs, tellOfNewEntry } from './new-entry-texts.ts';
import { addTaken, type PairsAtEvent, readPairsAtEvent, readPlaces, type TakenPlaces } from './places.ts';
import { refundFilledPlaces } from './refunds.ts';
import { type Participants, partiesOf } from './rights/present-parties.ts';
import { actOf } from './rights/sides.ts';
import type { EntryBody } from './schemas.ts';
import { insertEntry } from './store.ts';
import { toEntry } from './view.ts';
import type { Entry } from './view-schemas.ts';
import { freePlaces, promoteWaiting } from './waiting-list.ts';

/** A request to enter, with what was read before the lock. */
export interface PreparedEntry {
	readonly request: Pick<RecordCall<EntryBody>, 'body' | 'now' | 'signal' | 'log'>;
	/** Undefined without an idempotency key. */
	readonly keyed: Keyed | undefined;
	readonly participants: Participants;
	/** See `blockedFromFreePlaces`. */
	readonly blocked: ReadonlySet<string>;
	readonly author: ChangeAuthor | undefined;
	/** Calls a function in the context of the request, with its deadline. */
	readonly inContext: ReturnType<typeof AsyncLocalStorage.snapshot>;
}

interface EnteredEvent {
	readonly id: string;
	readonly scope: EventScope;
}

type StoreDeps = Pick<EventsDeps, 'db' | 'jobs' | 'freeWithdrawalMs' | 'countOverrides'>;

type Outcome = PromiseSettledResult<Entry>;

const fulfilled = (value: Entry): PromiseFulfilledResult<Entry> => ({ status: 'fulfilled', value });
const rejected = (reason: unknown): PromiseRejectedResult => ({ status: 'rejected', reason });

/** Requests have deadlines of their own, and clients that leave: neither ends the work for the others. */
const withoutRequest = AsyncLocalStorage.snapshot();

/**
 * Stores the entries of several requests for one event in their order, in one transaction. Each has its own outcome; one that is
 * refused stores nothing. If a statement fails, all are rolled back, and each is repeated in a transaction of its own, unless the
 * database has not responded in time.
 * @throws that time-out, or the error of the commit: the entries may be stored
 */
export async function storeEntries(
	prepared: readonly PreparedEntry[],
	event: EnteredEvent,
	deps: StoreDeps,
): Promise<readonly Outcome[]> {
	if (prepared.length === 1) return await storeEachAlone(prepared, event, deps);
	let isCommitting = false;
	try {
		return await withoutRequest(() =>
			untilLatestDeadline(prepared, () =>
				inSpans(prepared, () =>
					storeInTransaction(prepared, event, deps, (isLast) => {
						isCommitting = isLast;
					}),
				),
			),
		);
	} catch (error) {
		if (isCommitting || hasTimedOut(error)) throw error;
		// They see the same events: what is wrong with this one is wrong for all.
		if (error instanceof ApiError) return prepared.map(() => rejected(error));
		const fields = { eventId: event.id, entries: prepared.length, error };
		prepared[0]?.request.log.warn('entries could not be stored together, each is repeated alone', fields);
		return await storeEachAlone(prepared, event, deps);
	}
}

/** A database that hangs is reported before the last of the callers stops waiting. */
function untilLatestDeadline<R>(prepared: readonly PreparedEntry[], work: () => Promise<R>): Promise<R> {
	const deadlines = prepared.map(({ inContext }) => inContext(() => requestDeadline.getStore()));
	const latest = Math.max(...deadlines.map((deadline) => deadline ?? Number.POSITIVE_INFINITY));
	return Number.isFinite(latest) ? requestDeadline.run(latest, work) : work();
}

/** The statements are in the trace of the first request that is recorded. */
function inSpans<R>(prepared: readonly PreparedEntry[], work: () => Promise<R>): Promise<R> {
	const spans = prepared.flatMap(({ inContext }) => inContext(activeSpan) ?? []);
	const attributes = { 'db.operation.batch.size': prepared.length };
	return inSharedSpan(spans, 'store entries together', { kind: 'internal', attributes }, work);
}

async function storeEachAlone(
	prepared: readonly PreparedEntry[],
	event: EnteredEvent,
	deps: StoreDeps,
): Promise<readonly Outcome[]> {
	const outcomes: Outcome[] = [];
	for (const one of prepared) outcomes.push(...(await one.inContext(() => storeAlone(one, event, deps))));
	return outcomes;
}

async function storeAlone(
	one: PreparedEntry,
	event: EnteredEvent,
	deps: StoreDeps,
): Promise<readonly Outcome[]> {
	const { signal } = one.request;
	if (signal.aborted) return [rejected(signal.reason)];
	try {
		return await storeInTransaction([one], event, deps);
	} catch (error) {
		return [rejected(error)];
	}
}

async function storeInTransaction(
	prepared: readonly PreparedEntry[],
	event: EnteredEvent,
	{ db, jobs, freeWithdrawalMs, countOverrides }: StoreDeps,
	onCommit: (isCommitting: boolean) => void = () => {},
): Promise<readonly Outcome[]> {
	const { outcomes, overrides } = await inTransaction(db, async (transaction) => {
		onCommit(false);
		const stored = await storeTogether(transaction, prepared, event, { jobs, freeWithdrawalMs });
		onCommit(true);
		return stored;
	});
	countOverrides(overrides);
	return outcomes;
}

/** The event under its lock, and what the entries before have changed. */
interface StoredBefore {
	readonly db: EventsQueryable;
	readonly event: EventRow;
	/** Undefined for a single entry, which reads its own. */
	readonly neighbours:
		| { readonly pairs: PairsAtEvent; readonly elsewhere: readonly HorseElsewhere[] }
		| undefined;
	readonly keys: TakenKeys;
	readonly responses: KeyedResponse[];
	readonly overrides: StoredOverride[];
	readonly jobs: MailJobs;
	readonly freeWithdrawalMs: number;
	taken: TakenPlaces;
}

/** Reads under the lock once for all; mails and responses are stored at the end. */
async function storeTogether(
	db: EventsQueryable,
	prepared: readonly PreparedEntry[],
	{ id, scope }: EnteredEvent,
	{ jobs, freeWithdrawalMs }: Pick<EventsDeps, 'jobs' | 'freeWithdrawalMs'>,
): Promise<{ readonly outcomes: readonly Outcome[]; readonly overrides: readonly StoredOverride[] }> {
	const keys = await takeKeys<EventsSchema>(
		db,
		prepared.flatMap(({ keyed }) => keyed ?? []),
	);
	const event = await lockEvent(db, id, scope);
	const taken = await readPlaces(db, event);
	const neighbours = prepared.length === 1 ? undefined : await readNeighbours(db, event, taken, prepared);
	const mails = jobsTogether(jobs);
	const overrides: StoredOverride[] = [];
	const responses: KeyedResponse[] = [];
	const before = {
		...{ db, event, neighbours, keys, responses, overrides, jobs: mails.jobs, freeWithdrawalMs },
		taken,
	};
	const outcomes: Outcome[] = [];
	for (const one of prepared) {
		const storing = () => storeOrRefuse(one, before);
		outcomes.push(await (one.author === undefined ? storing() : changeAuthor.run(one.author, storing)));
	}
	await mails.enqueue(db);
	await keys.keep(responses);
	return { outcomes, overrides };
}

async function readNeighbours(
	db: EventsQueryable,
	event: EventRow,
	{ competitions }: TakenPlaces,
	prepared: readonly PreparedEntry[],
) {
	const bodies = prepared.map(({ request }) => request.body);
	const requestedBy = ({ starts }: EntryBody) => {
		const ids = new Set(starts.map(({ competitionId }) => competitionId));
		return competitions.filter((competition) => ids.has(competition.id));
	};
	const riders = bodies
		.filter((body) => requestedBy(body).some(({ championship }) => championship !== null))
		.map(({ riderMemberId }) => riderMemberId);
	const pairs = await readPairsAtEvent(db, event.id, bodies, riders);
	const horses = bodies.map(({ horseId }) => horseId);
	const elsewhere = await listStartsElsewhere(db, event.id, horses, daysOf(bodies.flatMap(requestedBy)));
	return { pairs, elsewhere };
}

/** The outcome of one request. @throws errors of the database, after which the transaction can store nothing */
async function storeOrRefuse(one: PreparedEntry, before: StoredBefore): Promise<Outcome> {
	const { db, event, neighbours, keys, responses, jobs, freeWithdrawalMs } = before;
	const { request, keyed, participants, blocked } = one;
	const { body, now, signal } = request;
	// The wait for the lock may have exceeded the caller's timeout, which has then been reported.
	if (signal.aborted) return rejected(signal.reason);
	if (keyed !== undefined && !keys.has(keyed)) return await repeated(db, keyed);
	const twin = keyed && responses.find((one) => isSameKey(one.keyed, keyed));
	if (twin !== undefined)
		return twin.keyed.digest === keyed?.digest
			? fulfilled(twin.data)
			: rejected(apiError('IDEMPOTENCY_KEY_REUSED'));
	const { entries: free } = freePlaces(event, before.taken.counters, before.taken.competitions, now);
	if (before.taken.counters.nextPosition > 1 && (free === null || free > 0)) {
		await promoteWaiting(db, event, { now, blocked, freeWithdrawalMs, jobs });
		before.taken = await readPlaces(db, event);
	}
	const read = neighbours && { pair: neighbours.pairs.of(body), elsewhere: neighbours.elsewhere };
	const principal = participants.acting;
	const question = { body, participants, principal, now, taken: before.taken, ...read };
	const judged = await judgeOrRefuse(db, event, question, signal);
	if ('reason' in judged) return judged;
	const data = await storeEntry(before, question, judged);
	if (keyed !== undefined) responses.push({ keyed, data });
	return fulfilled(data);
}

interface KeyedResponse {
	readonly keyed: Keyed;
	readonly data: Entry;
}

const isSameKey = (one: Keyed, other: Keyed) => one.key === other.key && one.userId === other.userId;

/** The response of the same request, which was sent again while the first one was in progress. */
async function repeated(db: EventsQueryable, keyed: Keyed): Promise<Outcome> {
	try {
		const known = await findResponse<EventsSchema>(db, keyed);
		if (known === undefined) throw new TypeError('A key could not be taken but is not found.');
		return fulfilled(known.data as Entry);
	} catch (error) {
		if (error instanceof ApiError) return rejected(error);
		throw error;
	}
}

interface Judged {
	readonly judgement: Judgement;
	readonly pair: EntryPair;
}

async function judgeOrRefuse(
	db: EventsQueryable,
	event: EventRow,
	question: EntryQuestion,
	signal: AbortSignal,
): Promise<Judged | PromiseRejectedResult> {
	try {
		const judgement = await judgeEntry(db, event, question);
		return { judgement, pair: requireAcceptable(question, judgement) };
	} catch (error) {
		// Not the reason of an aborted query.
		if (error instanceof ApiError && error !== signal.reason) return rejected(error);
		throw error;
	}
}

async function storeEntry(
	before: StoredBefore,
	question: EntryQuestion,
	{ judgement, pair }: Judged,
): Promise<Entry> {
	const { db, event, jobs } = before;
	const { principal, now } = question;
	const row = {
		...entrySnapshot(event, question, judgement, pair),
		eventId: event.id,
		entryNumber: judgement.counters.nextNumber,
		enteredBy: principal.userId,
		createdAt: now,
	};
	const starts = judgement.competitions.map(({ id, startFee }) => ({ competitionId: id, startFee }));
	const act = actOf('ENTERED', partiesOf(event, question.body, question.participants), question);
	const stored = await insertEntry(db, row, { starts, lines: chargesOf(judgement), acts: [act] });
	before.overrides.push(...judgement.overrides);
	before.taken = addTaken(before.taken, event, stored);
	before.neighbours?.pairs.add(stored);
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

/** Collects the jobs of several entries. */
function jobsTogether(jobs: MailJobs): {
	readonly jobs: MailJobs;
	enqueue(db: EventsQueryable): Promise<void>;
} {
	if (jobs === undefined) return { jobs, enqueue: async () => {} };
	type Enqueue = typeof jobs.enqueueAll;
	const byQueue = new Map<Parameters<Enqueue>[1], Parameters<Enqueue>[2][number][]>();
	const enqueueAll: Enqueue = async (_db, queue, all) => {
		byQueue.set(queue, [...(byQueue.get(queue) ?? []), ...all]);
	};
	return {
		jobs: { enqueueAll },
		enqueue: async (db) => {
			for (const [queue, all] of byQueue) await jobs.enqueueAll(db, queue, all);
		},
	};
}
