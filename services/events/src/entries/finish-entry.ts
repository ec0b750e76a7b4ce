import { dayIn } from '@paddock/calendar';
import type { ApiError } from '@paddock/contract';
import { asSystem } from '@paddock/database';
import { requireVersion } from '@paddock/service';
import type { EntryCheck, EventRow, StoredOverride } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import type { EntryStatus, ShownEntryStatus } from '../enumerations.ts';
import { eventsError } from '../errors.ts';
import { mayManage } from '../events/access.ts';
import { isOver } from '../events/rules.ts';
import { judgedBy, withNoRefund } from './entry-check.ts';
import { tellOfEnd } from './entry-mails.ts';
import { chargesOf, entrySnapshot, judgeEntry, requireAcceptable, storedEntry } from './judge-entry.ts';
import { type AmountLeft, amountLeft, areBoxesRefunded, bookLines, type LedgerLine } from './ledger.ts';
import { changeEntry, type EntryCall, type EntryDeps, type LockedEntry } from './locked-entry.ts';
import { tellOfNewEntry } from './new-entry-texts.ts';
import { readPlaces } from './places.ts';
import { refundFilledPlaces } from './refunds.ts';
import { rejudgeEntriesOfHorse } from './rejudge-entries.ts';
import {
	type PresentParticipants,
	participantsOf,
	presentHorse,
	presentParties,
	presentRider,
	refuse,
	requireMissingSide,
} from './rights/present-parties.ts';
import { actsForRider, type EntryParties, keeps, recordAct } from './rights/sides.ts';
import { allowedSteps, isOpenStatus, shownEntryStatus } from './rules.ts';
import type { EntryConfirmation, Rejection } from './schemas.ts';
import { endEntry, type FullEntryRow, updateConfirmedEntry } from './store.ts';
import type { Entry } from './view-schemas.ts';
import { type FreePlaces, freePlaces, fullPlaces } from './waiting-list.ts';

/** Also by the organiser. Withdrawing again changes nothing: a client may retry. @throws ApiError, see the route. */
export function withdrawEntry(request: EntryCall, deps: EntryDeps): Promise<Entry> {
	return changeEntry<{ present?: EntryParties }>(request, deps, {
		prepare: async (_event, entry) => withdrawingParties(request, entry, deps),
		apply: async (locked, { present }) => {
			if (locked.entry.status === 'WITHDRAWN') return;
			requireVersion(request.preconditions, locked.entry.version);
			await finish(locked, { to: 'WITHDRAWN', request, deps, present });
		},
	});
}

/** Calls horses only if nothing else permits the withdrawal: riders can withdraw while the horse registry is down. */
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

/** For a side whose confirmation is missing. Declining again changes nothing. @throws ApiError, see the route. */
export function declineEntry(request: EntryCall, deps: EntryDeps): Promise<Entry> {
	return changeEntry(request, deps, {
		prepare: async (_event, entry) => {
			const present = await presentParties(entry, deps.directory, request);
			requireMissingSide(request, entry, present);
			return { present };
		},
		apply: async (locked, { present }) => {
			if (locked.entry.status === 'DECLINED') return;
			requireVersion(request.preconditions, locked.entry.version);
			await finish(locked, { to: 'DECLINED', request, deps, present });
		},
	});
}

/** On behalf of the organiser; frees the place for the waiting list. @throws ApiError, see the route. */
export function rejectEntry(request: EntryCall<Rejection>, deps: EntryDeps): Promise<Entry> {
	const { body, principal } = request;
	return changeEntry(request, deps, {
		prepare: async (event, entry) => {
			if (mayManage(principal, event.organiserClubId)) return {};
			return refuse(request, entry, 'The organiser rejects entries.');
		},
		apply: async (locked) => {
			requireVersion(request.preconditions, locked.entry.version);
			await finish(locked, { to: 'REJECTED', reason: body.statusReason, request, deps });
		},
	});
}

interface Finish {
	readonly to: 'WITHDRAWN' | 'REJECTED' | 'DECLINED';
	readonly reason?: string;
	/** Current parties; undefined: those of the day of entry. */
	readonly present?: EntryParties | undefined;
	readonly request: Pick<EntryCall, 'principal' | 'now'>;
	readonly deps: Pick<EntryDeps, 'refundsFilledPlaces'>;
}

async function finish(
	{ db, jobs, event, entry, promoteWaiting }: LockedEntry,
	{ to, reason, present, request: { principal, now }, deps }: Finish,
): Promise<void> {
	const eventIsOver = isOver(event, now);
	const from = shownEntryStatus(entry.status, entry, now);
	const allowed = allowedSteps(from, { eventIsOver, owes: entry.amountDue > 0 });
	if (!allowed.includes(to)) throw illegalStep(from, to, allowed, eventIsOver);
	const today = dayIn(event.venueTimeZone, now);
	const { competitions, counters } = await readPlaces(db, event);
	const ridden = new Set(competitions.filter(({ date }) => date < today).map(({ id }) => id));
	const hasRidden = entry.starts.some(
		({ competitionId, status }) => isOpenStatus(status) && ridden.has(competitionId),
	);
	const left = amountLeft(entry, to, { now, hasRidden, boxesRefunded: areBoxesRefunded(event, now) });
	const isLeft = left.fees + left.boxes > 0;
	const places = freePlaces(event, counters, competitions, now);
	const isRefundable = deps.refundsFilledPlaces && entry.status === 'ACCEPTED' && isLeft && !hasRidden;
	const vacated = isRefundable ? placesWithoutSpare(places, entry) : [];
	const checks = withWarnings(entry.checks, left, event);
	await endEntry(db, entry.id, { status: to, reason: reason ?? null, vacated, checks }, now);
	await recordAct(db, entry.id, to, present ?? entry, { principal, now });
	await bookLines(db, entry.id, refundLines(entry, left, endings[to]), { by: principal.userId, now });
	await tellOfEnd({ db, jobs, principal, now }, event, entry, { to, reason: reason ?? '' });
	await rejudgeEntriesOfHorse(db, event, entry.horseId, now);
	await promoteWaiting();
}

const endings = { WITHDRAWN: 'Withdrawn', REJECTED: 'Rejected', DECLINED: 'Declined' } as const;

/** The findings with a warning for each part of the amount that stays due, and no other one of refunds. */
function withWarnings(
	checks: readonly EntryCheck[],
	{ fees, boxes }: AmountLeft,
	event: EventRow,
): readonly EntryCheck[] {
	const others = checks.filter(({ code }) => code !== 'NO_REFUND');
	const withFees = fees > 0 ? withNoRefund(others, '28.7', event) : others;
	return boxes > 0 ? withNoRefund(withFees, '23.4', event) : withFees;
}

/** Returned start fees name their competition, so that its cancellation does not refund them again. */
function refundLines(
	{ amountDue, starts }: FullEntryRow,
	{ fees, boxes }: AmountLeft,
	reason: string,
): readonly LedgerLine[] {
	let remainder = amountDue - fees - boxes;
	const returned = fees > 0 ? [] : starts.filter(({ status }) => isOpenStatus(status));
	const forStarts = returned.map(({ competitionId, startFee }) => {
		const amount = Math.min(startFee, remainder);
		remainder -= amount;
		return { kind: 'REFUND', amount: -amount, competitionId, reason } as const;
	});
	return [...forStarts, { kind: 'REFUND', amount: -remainder, reason }];
}

/** Where one more entry like this one would have got no place, so that a withdrawal makes a place for another. */
function placesWithoutSpare(places: FreePlaces, { starts, boxes }: FullEntryRow): readonly string[] {
	const open = starts.filter(({ status }) => isOpenStatus(status));
	return fullPlaces(
		places,
		open.map(({ competitionId }) => competitionId),
		boxes,
	);
}

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

/** Once both sides agree, the status is that of a new entry. Confirming again changes nothing. @throws ApiError, see the route. */
export function confirmEntry(request: EntryCall<EntryConfirmation>, deps: EventsDeps): Promise<Entry> {
	return changeEntry<PresentParticipants>(request, deps, {
		prepare: async (event, entry) => {
			const prepared = await participantsOf(entry, event, deps.directory, request);
			requireMissingSide(request, entry, prepared.present);
			return prepared;
		},
		apply: async (locked, { participants, present }) => {
			const { entry } = locked;
			if (isOpenStatus(entry.status)) return;
			// The client confirms the version that it read; the starts may have changed since.
			requireVersion(request.preconditions, entry.version);
			await locked.promoteWaiting();
			deps.countOverrides(await confirm(locked, { participants, present }, request));
		},
	});
}

async function confirm(
	{ db, jobs, event, entry }: LockedEntry,
	{ participants, present }: PresentParticipants,
	{ body, principal, now }: EntryCall<EntryConfirmation>,
): Promise<readonly StoredOverride[]> {
	const shown = shownEntryStatus(entry.status, entry, now);
	if (shown !== 'PENDING_CONFIRMATION') throw illegalStep(shown, 'ACCEPTED', []);
	const question = {
		body: {
			riderMemberId: entry.riderMemberId,
			horseId: entry.horseId,
			starts: entry.starts.filter(({ status }) => status === 'PENDING_CONFIRMATION'),
			type: entry.type,
			boxes: entry.boxes,
			overrides: body?.overrides,
		},
		participants,
		principal,
		now,
		entry: { ...storedEntry(entry), kept: [] },
	};
	const judgement = await judgeEntry(db, event, question);
	const pair = requireAcceptable(question, judgement);
	const row = entrySnapshot(event, question, judgement, pair);
	await updateConfirmedEntry(db, entry.id, row, { lines: chargesOf(judgement), by: principal.userId, now });
	await recordAct(db, entry.id, 'CONFIRMED', present, { principal, now });
	const told = { ...entry, ...row, judgedBy: judgedBy(pair.rider, pair.horse) };
	if (row.status !== 'PENDING_CONFIRMATION')
		await tellOfNewEntry({ db, jobs, principal, now }, event, told, [{ userId: entry.enteredBy }]);
	if (row.status === 'ACCEPTED' && judgement.counters.hasVacated)
		await asSystem(db, () => refundFilledPlaces(db, event, [entry.id], now));
	return judgement.overrides;
}
