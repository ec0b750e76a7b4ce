import { dayIn } from '@paddock/calendar';
import type { ApiError } from '@paddock/contract';
import { requireVersion } from '@paddock/service';
import { competitionRows } from '../competitions/store.ts';
import type { EventsDeps } from '../deps.ts';
import type { EntryStatus, ShownEntryStatus } from '../enumerations.ts';
import { eventsError } from '../errors.ts';
import { mayManage, requireManager } from '../events/access.ts';
import { isOver } from '../events/rules.ts';
import { isAcceptable } from './entry-check.ts';
import { entrySnapshot, judgeEntry, requireAcceptable } from './judge-entry.ts';
import { changeEntry, type EntryCall, type EntryDeps, type LockedEntry } from './locked-entry.ts';
import {
	type Participants,
	type PresentParticipants,
	participantsOf,
	presentHorse,
	presentParties,
	presentRider,
	refuse,
	requireMissingSide,
} from './rights/present-parties.ts';
import { actsForRider, agreedSides, type EntryParties, keeps } from './rights/sides.ts';
import { allowedSteps, isOpenStatus, shownEntryStatus } from './rules.ts';
import type { Rejection } from './schemas.ts';
import { endEntry, type FullEntryRow, updateConfirmedEntry } from './store.ts';
import type { Entry } from './view-schemas.ts';

/**
 * Withdraws an entry and frees its place for the waiting list; permitted for the organiser and for callers who now act
 * for rider or horse. Idempotent: an entry that is already withdrawn stays unchanged, so that a client may retry after
 * a lost response.
 * @throws ApiError NOT_FOUND, also for callers whom the entry does not concern; OUT_OF_SCOPE for former parties of
 * rider and horse; ILLEGAL_STATE_TRANSITION; SERVICE_UNAVAILABLE or UPSTREAM_TIMEOUT if members or horses must be
 * called and do not respond.
 */
export function withdrawEntry(request: EntryCall, deps: EntryDeps): Promise<Entry> {
	return changeEntry<{ present?: EntryParties }>(request, deps, {
		prepare: async (_event, entry) => withdrawingParties(request, entry, deps),
		apply: async (locked) => {
			if (locked.entry.status !== 'WITHDRAWN') await finish(locked, { to: 'WITHDRAWN', now: request.now });
		},
	});
}

/**
 * Calls horses only if nothing else permits the withdrawal, so that riders can withdraw when the horse registry is
 * down.
 */
async function withdrawingParties(
	request: EntryCall,
	entry: FullEntryRow,
	{ directory }: EntryDeps,
): Promise<{ present?: EntryParties }> {
	const { principal } = request;
	if (mayManage(principal, entry.organiserClubId)) return {};
	const rider = await presentRider(entry, directory, request);
	if (actsForRider(principal, rider)) return { present: { ...entry, ...rider } };
	const present = { ...entry, ...rider, ...(await presentHorse(entry, directory, request)) };
	if (keeps(principal, present)) return { present };
	return refuse(request, entry, 'The entry is withdrawn by those who act for its rider or horse now.');
}

/**
 * Declines an entry for a side whose confirmation is missing. Idempotent: an entry that is already declined stays
 * unchanged.
 * @throws ApiError NOT_FOUND; OUT_OF_SCOPE for other callers whom the entry concerns; ILLEGAL_STATE_TRANSITION;
 * SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT.
 */
export function declineEntry(request: EntryCall, deps: EntryDeps): Promise<Entry> {
	return changeEntry(request, deps, {
		prepare: async (_event, entry) => {
			const present = await presentParties(entry, deps.directory, request);
			requireMissingSide(request, entry, present);
			return { present };
		},
		apply: async (locked) => {
			if (locked.entry.status !== 'DECLINED') await finish(locked, { to: 'DECLINED', now: request.now });
		},
	});
}

/**
 * Rejects an entry on behalf of the organiser and frees its place for the waiting list.
 * @throws ApiError NOT_FOUND; OUT_OF_SCOPE for callers who do not manage the event; ILLEGAL_STATE_TRANSITION
 */
export function rejectEntry(request: EntryCall<Rejection>, deps: EntryDeps): Promise<Entry> {
	const { body, principal, now } = request;
	return changeEntry(request, deps, {
		prepare: async (event, entry) => {
			if (mayManage(principal, event.organiserClubId)) return {};
			return refuse(request, entry, 'The organiser rejects entries.');
		},
		apply: async (locked) => {
			requireManager(principal, locked.event.organiserClubId);
			await finish(locked, { to: 'REJECTED', reason: body.reason, now });
		},
	});
}

interface Finish {
	readonly to: 'WITHDRAWN' | 'REJECTED' | 'DECLINED';
	readonly reason?: string;
	readonly now: Date;
}

async function finish(
	{ db, event, entry, promoteWaiting }: LockedEntry,
	{ to, reason, now }: Finish,
): Promise<void> {
	const eventIsOver = isOver(event, now);
	const from = shownEntryStatus(entry.status, entry, now);
	const allowed = allowedSteps(from, { eventIsOver, owes: entry.amountDue > 0 });
	if (!allowed.includes(to)) throw illegalStep(from, to, allowed, eventIsOver);
	const today = dayIn(event.venueTimeZone, now);
	const competitions = await competitionRows(db, event.id);
	const ridden = new Set(competitions.filter(({ date }) => date < today).map(({ id }) => id));
	const hasRidden = entry.starts.some(
		({ competitionId, status }) => isOpenStatus(status) && ridden.has(competitionId),
	);
	const amountDue = amountLeft(entry, to, { now, hasRidden });
	await endEntry(db, entry.id, { status: to, reason: reason ?? null, amountDue }, now);
	await promoteWaiting();
}

/** The data of an entry that decide on its amount due. */
type Debt = Pick<FullEntryRow, 'status' | 'amountDue' | 'entryDeadline' | 'freeWithdrawalUntil' | 'checks'>;

/**
 * Amount due after an entry ends, in cents. An accepted entry that is withdrawn after the entry deadline stays fully
 * due, because its place was reserved (OeTO §28.7), and so does the rest that an entry without competitions owes; an
 * earlier withdrawal, one in the time that the entry has after a late promotion or a change of its date, one of an entry
 * that no longer fits its event, a waiting entry or a refused one owes nothing. `hasRidden`: the day of one of its competitions is over, so that the place was used.
 */
export function amountLeft(
	{ status, amountDue, entryDeadline, freeWithdrawalUntil, checks }: Debt,
	to: Finish['to'],
	{ now, hasRidden }: { readonly now: Date; readonly hasRidden: boolean },
): number {
	if (to !== 'WITHDRAWN' || !(status === 'ACCEPTED' || status === 'CANCELLED')) return 0;
	if (entryDeadline === null || now <= entryDeadline) return 0;
	const hasTime = freeWithdrawalUntil !== null && now <= freeWithdrawalUntil;
	return !hasRidden && (hasTime || !isAcceptable(checks)) ? 0 : amountDue;
}

/** Creates ILLEGAL_STATE_TRANSITION for an entry. */
export function illegalStep(
	from: ShownEntryStatus,
	to: EntryStatus,
	allowed: readonly EntryStatus[],
	eventIsOver = false,
): ApiError {
	return eventsError('ILLEGAL_STATE_TRANSITION', {
		context: { from, to, allowed },
		...(eventIsOver ? { message: 'The event is over.' } : {}),
	});
}

/**
 * Confirms an entry for the sides that the caller acts for. Once both sides agree, the entry gets the status that a new
 * entry would get now. Idempotent: an entry that is already confirmed stays unchanged, so that a client may retry after
 * a lost response.
 * @throws ApiError NOT_FOUND; OUT_OF_SCOPE for other callers whom the entry concerns; ILLEGAL_STATE_TRANSITION;
 * ENTRY_NOT_ALLOWED, and the entry stays unconfirmed; MEMBER_NOT_ACTIVE, SERVICE_UNAVAILABLE, UPSTREAM_TIMEOUT.
 */
export function confirmEntry(request: EntryCall, deps: EventsDeps): Promise<Entry> {
	return changeEntry<PresentParticipants>(request, deps, {
		prepare: async (event, entry) => {
			const prepared = await participantsOf(entry, event, deps.directory, request);
			requireMissingSide(request, entry, prepared.present);
			return prepared;
		},
		apply: async (locked, { participants }) => {
			const { entry } = locked;
			if (isOpenStatus(entry.status)) return;
			// The client confirms the version that it read; the starts may have changed since.
			requireVersion(request.preconditions, entry.version);
			await locked.promoteWaiting();
			await confirm(locked, participants, request);
		},
	});
}

async function confirm(
	{ db, event, entry }: LockedEntry,
	participants: Participants,
	{ principal, now }: EntryCall,
): Promise<void> {
	const shown = shownEntryStatus(entry.status, entry, now);
	if (shown !== 'PENDING_CONFIRMATION') throw illegalStep(shown, 'ACCEPTED', []);
	const question = {
		body: {
			riderMemberId: entry.riderMemberId,
			horseId: entry.horseId,
			starts: entry.starts.filter(({ status }) => status === 'PENDING_CONFIRMATION'),
			type: entry.type,
		},
		participants,
		principal,
		now,
		entry: { id: entry.id, isOpen: false, agreed: agreedSides(entry) },
	};
	const judgement = await judgeEntry(db, event, question);
	const pair = requireAcceptable(question, judgement);
	await updateConfirmedEntry(db, entry.id, entrySnapshot(event, question, judgement, pair));
}
