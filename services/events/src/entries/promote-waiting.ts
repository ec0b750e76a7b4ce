import { ApiError } from '@paddock/contract';
import type { CallContext } from '@paddock/peers';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import type { Directory } from '../peers/directory.ts';
import type { MemberReference } from '../peers/records.ts';
import type { RiderFacts } from './check-competition.ts';
import { checkHorse, checkRider } from './check-entry.ts';
import { isAcceptable, isInDoubt, riderFacts } from './entry-check.ts';
import { acceptWaiting, closeGaps, countEntries, listTakenCompetitions, listWaiting } from './places.ts';
import { freePlaces, promoted } from './waiting-list.ts';

/** An event with a waiting list. */
type WaitingEvent = Pick<EventRow, 'id' | 'startDate'>;

/**
 * Ids of waiting entries that cannot be promoted now because rider or horse may no longer start (suspended, deleted).
 * If members or horses do not respond, all waiting entries are returned: none is promoted unchecked, and the next
 * promotion checks again. Call it before the event is locked; an entry that joins the list later was checked when it
 * joined.
 */
export async function blockedEntries(
	db: EventsQueryable,
	event: WaitingEvent,
	directory: Pick<Directory, 'members' | 'horses'>,
	context: CallContext,
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

function riderOf(member: MemberReference | undefined): RiderFacts | undefined {
	return member === undefined ? undefined : riderFacts(member);
}

interface Promotion {
	readonly now: Date;
	/** Entries that are not promoted, see `blockedEntries`. */
	readonly blocked: ReadonlySet<string>;
	/** How long the promoted entries can be withdrawn free of charge. */
	readonly freeWithdrawalMs: number;
}

/**
 * Promotes waiting entries to free places in order of position (see `promoted`), except those in doubt, and closes the gaps in the waiting
 * list. Call it after every change that frees a place or removes a waiting entry, in the same transaction; needs the
 * lock on the event. Resolves with the ids of the promoted entries, which can be withdrawn free of charge for a while: a
 * rider who gets a place after the entry deadline could not withdraw in time.
 */
export async function promoteWaiting(
	db: EventsQueryable,
	event: EventRow,
	{ now, blocked, freeWithdrawalMs }: Promotion,
): Promise<readonly string[]> {
	const waiting = await listWaiting(db, event.id);
	if (waiting.length === 0) return [];
	const eligible = waiting.filter(({ id, checks }) => !blocked.has(id) && !isInDoubt(checks));
	const competitions = await listTakenCompetitions(db, event.id);
	const { accepted } = await countEntries(db, event.id);
	const ids = promoted(eligible, freePlaces(event, accepted, competitions, now));
	const freeUntil = new Date(now.getTime() + freeWithdrawalMs);
	if (ids.length > 0) await acceptWaiting(db, ids, { now, freeUntil });
	await closeGaps(db, event.id, now);
	return ids;
}
