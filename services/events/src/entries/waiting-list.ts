import { randomUUID } from 'node:crypto';
import { dayIn } from '@paddock/calendar';
import { ApiError } from '@paddock/contract';
import { asSystem, inTransaction } from '@paddock/database';
import type { CallingRequest } from '@paddock/peers';
import { continueTrace, type Logger, traceparentOf } from '@paddock/telemetry';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { listUnsettledEvents, type UnsettledEvent } from '../events/list.ts';
import { lockPublishedEvent } from '../events/store.ts';
import type { Directory } from '../peers/directory.ts';
import type { MemberRecord } from '../peers/records.ts';
import type { RiderFacts } from './check-competition.ts';
import { checkHorse, checkRider } from './check-entry.ts';
import { isAcceptable, isInDoubt, riderFacts } from './entry-check.ts';
import { tellOfPromotion } from './entry-mails.ts';
import type { MailJobs } from './new-entry-texts.ts';
import {
	acceptWaiting,
	closeGaps,
	type EntryCounters,
	listWaiting,
	readPlaces,
	type TakenCompetitionRow,
	type WaitingEntryRow,
} from './places.ts';
import { refundFilledPlaces } from './refunds.ts';
import { prepareRejudging, rejudgeEntries } from './rejudge-entries.ts';

/** Free places and boxes of the event, and free places of each of its competitions; null = unlimited. */
export interface FreePlaces {
	readonly entries: number | null;
	readonly boxes: number | null;
	/** By competition id; a missing one has no places (cancelled, or its day is over). */
	readonly starts: ReadonlyMap<string, number | null>;
}

/** All of its starts and boxes or none, so that no rider travels for only some of them. */
export function hasPlace(places: FreePlaces, competitionIds: readonly string[], boxes = 0): boolean {
	return fullPlaces(places, competitionIds, boxes).length === 0;
}

/** Where an entry finds no place: ids of competitions, EVENT, BOXES. */
export function fullPlaces(
	{ entries, boxes: free, starts }: FreePlaces,
	competitionIds: readonly string[],
	boxes: number,
): readonly string[] {
	const isFull = (id: string) => {
		const left = starts.get(id);
		return left === undefined || (left !== null && left <= 0);
	};
	return [
		...(entries !== null && entries <= 0 ? ['EVENT'] : []),
		...(free !== null && boxes > Math.max(free, 0) ? ['BOXES'] : []),
		...competitionIds.filter(isFull),
	];
}

/** In order; one that does not fit is skipped and keeps its position, so that no place is held that it cannot use. */
export function promoted(
	waiting: readonly Pick<WaitingEntryRow, 'id' | 'competitionIds' | 'boxes'>[],
	places: FreePlaces,
): readonly string[] {
	let { entries, boxes: boxesLeft } = places;
	const starts = new Map(places.starts);
	const ids: string[] = [];
	for (const { id, competitionIds, boxes } of waiting) {
		if (!hasPlace({ entries, boxes: boxesLeft, starts }, competitionIds, boxes)) continue;
		ids.push(id);
		entries = entries === null ? null : entries - 1;
		boxesLeft = boxesLeft === null ? null : boxesLeft - boxes;
		for (const competitionId of competitionIds) {
			const free = starts.get(competitionId) ?? null;
			if (free !== null) starts.set(competitionId, free - 1);
		}
	}
	return ids;
}

/** Free places; competitions that are cancelled or over have none. */
export function freePlaces(
	event: Pick<EventRow, 'maxEntries' | 'maxBoxes' | 'venueTimeZone'>,
	taken: Pick<EntryCounters, 'accepted' | 'boxes'>,
	competitions: readonly TakenCompetitionRow[],
	now: Date,
): FreePlaces {
	const today = dayIn(event.venueTimeZone, now);
	const taking = competitions.filter(({ status, date }) => status === 'OPEN' && date >= today);
	const left = (max: number | null, used: number) => (max === null ? null : max - used);
	return {
		entries: left(event.maxEntries, taken.accepted),
		boxes: left(event.maxBoxes, taken.boxes),
		starts: new Map(taking.map((row) => [row.id, left(row.maxStarters, row.accepted)])),
	};
}

type WaitingEvent = Pick<EventRow, 'id' | 'startDate'>;

/**
 * Waiting entries whose rider or horse may no longer start; all of them if members or horses do not respond, so that none is promoted
 * unchecked. Call it before the event is locked.
 */
export async function blockedEntries(
	db: EventsQueryable,
	event: WaitingEvent,
	directory: Pick<Directory, 'members' | 'horses'>,
	context: CallingRequest,
): Promise<ReadonlySet<string>> {
	const waiting = await listWaiting(db, event.id);
	if (waiting.length === 0) return new Set();
	try {
		const [members, horses] = await Promise.all([
			directory.members(
				waiting.map(({ riderMemberId }) => riderMemberId),
				context,
			),
			directory.horses(
				waiting.map(({ horseId }) => horseId),
				context,
			),
		]);
		const blocked = waiting.filter(
			({ riderMemberId, horseId }) =>
				!isAcceptable([
					...checkRider(riderOf(members.get(riderMemberId)), event),
					...checkHorse(horses.get(horseId), event),
				]),
		);
		return new Set(blocked.map(({ id }) => id));
	} catch (error) {
		if (!(error instanceof ApiError) || error.status < 500) throw error;
		return new Set(waiting.map(({ id }) => id));
	}
}

/** Before a change that frees no place: none is looked up if none fits; a change that frees one meanwhile promotes by itself. */
export async function blockedFromFreePlaces(
	db: EventsQueryable,
	event: EventRow,
	directory: Pick<Directory, 'members' | 'horses'>,
	context: CallingRequest & { readonly now: Date },
): Promise<ReadonlySet<string>> {
	const waiting = await listWaiting(db, event.id);
	if (waiting.length === 0) return new Set();
	const { competitions, counters } = await readPlaces(db, event);
	const fitting = promoted(waiting, freePlaces(event, counters, competitions, context.now));
	if (fitting.length === 0) return new Set(waiting.map(({ id }) => id));
	return blockedEntries(db, event, directory, context);
}

function riderOf(member: MemberRecord | undefined): RiderFacts | undefined {
	return member === undefined ? undefined : riderFacts(member);
}

interface Promotion {
	readonly now: Date;
	/** Entries that are not promoted, see `blockedEntries`. */
	readonly blocked: ReadonlySet<string>;
	readonly freeWithdrawalMs: number;
	readonly jobs: MailJobs;
}

/**
 * In order of position, except entries in doubt; closes the gaps. Call it in the transaction of every change that frees a place or
 * ends a waiting entry; needs the lock on the event. After the deadline a promoted rider could not withdraw in time: for a while the
 * withdrawal is free of charge. Resolves with the promoted ids.
 */
export async function promoteWaiting(
	db: EventsQueryable,
	event: EventRow,
	{ now, blocked, freeWithdrawalMs, jobs }: Promotion,
): Promise<readonly string[]> {
	const waiting = await listWaiting(db, event.id);
	if (waiting.length === 0) return [];
	const eligible = waiting.filter(({ id, checks }) => !blocked.has(id) && !isInDoubt(checks));
	const { competitions, counters } = await readPlaces(db, event);
	const ids = promoted(eligible, freePlaces(event, counters, competitions, now));
	const freeUntil = new Date(now.getTime() + freeWithdrawalMs);
	await asSystem(db, async () => {
		const accepted = ids.length === 0 ? [] : await acceptWaiting(db, ids, { now, freeUntil });
		if (accepted.length > 0) await tellOfPromotion({ db, jobs, now }, event, accepted, freeUntil);
		if (counters.hasVacated) await refundFilledPlaces(db, event, ids, now);
		await closeGaps(db, event.id, now);
	});
	return ids;
}

/** Timeout of the calls to other services for one event. */
const eventMs = 10_000;

interface PromotionDeps extends Pick<EventsDeps, 'db' | 'jobs' | 'directory' | 'freeWithdrawalMs'> {
	readonly now: () => Date;
	readonly logger: Logger;
	/** Aborted when the service stops. */
	readonly closing: AbortSignal;
}

/** Judges entries that could not be judged after a change, and promotes those that could not be checked or may start again. */
export async function promoteEverywhere(deps: PromotionDeps): Promise<void> {
	const { db, now, logger, closing } = deps;
	for (const event of await listUnsettledEvents(db, now())) {
		if (closing.aborted) return;
		try {
			await promoteAt(event, deps);
		} catch (error) {
			// The stop of the service ended the calls; the next start begins with a pass.
			if (closing.aborted) return;
			// Continue with the other events; the next pass retries this one.
			logger.warn('promotion of waiting entries failed', { eventId: event.id, error });
		}
	}
}

async function promoteAt(
	event: UnsettledEvent,
	{ db, jobs, directory, freeWithdrawalMs, now, logger, closing }: PromotionDeps,
): Promise<void> {
	const context = {
		requestId: randomUUID(),
		signal: AbortSignal.any([closing, AbortSignal.timeout(eventMs)]),
		traceparent: traceparentOf(continueTrace(undefined)),
	};
	const plan = { ruleset: event.ruleset, needsAgeClasses: true };
	const [blocked, rejudging] = await Promise.all([
		blockedEntries(db, event, directory, context),
		event.isInDoubt ? prepareRejudging(db, event, plan, { directory, call: context }) : undefined,
	]);
	const promoted = await inTransaction(db, async (transaction) => {
		const locked = await lockPublishedEvent(transaction, event.id);
		if (locked === undefined) return [];
		if (rejudging !== undefined) await rejudgeEntries(transaction, locked, { now: now(), rejudging });
		return promoteWaiting(transaction, locked, { now: now(), blocked, freeWithdrawalMs, jobs });
	});
	if (promoted.length > 0) logger.info('waiting entries promoted', { eventId: event.id, entryIds: promoted });
}
