import { dayIn } from '@paddock/calendar';
import { apiError, refuseInvalid } from '@paddock/contract';
import { changedAt, once } from '@paddock/database';
import { requireVersion } from '@paddock/service';
import { competitionRows } from '../competitions/store.ts';
import type { EventRow, EventsQueryable, StoredOverride } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import { entrySides, openStatuses } from '../enumerations.ts';
import { eventsError } from '../errors.ts';
import { mayManage, visibleTo } from '../events/access.ts';
import { entryWindow, isOver } from '../events/rules.ts';
import { getEventRow, lockEvent } from '../events/store.ts';
import { disclosedChecks, disclosureBefore, judgedBy } from './entry-check.ts';
import { tellOfSwap } from './entry-mails.ts';
import { entrySnapshot, judgeEntry, requireAcceptable, storedEntry } from './judge-entry.ts';
import { bookLines, entryFeeLine, requireChangesLeft } from './ledger.ts';
import { type EntryCall, requireSameParties } from './locked-entry.ts';
import type { MailReason } from './new-entry-texts.ts';
import { formerOverrides, requireOverridesAllowed } from './overrides.ts';
import type { ParticipantIds } from './places.ts';
import { rejudgeEntriesOfHorse } from './rejudge-entries.ts';
import {
	findParticipants,
	type Participants,
	partiesOf,
	presentParties,
	refuse,
} from './rights/present-parties.ts';
import {
	type EntryParties,
	isConcerned,
	missingSides,
	noteActing,
	recordAct,
	sidesOf,
} from './rights/sides.ts';
import { isOpenStatus, shownEntryStatus } from './rules.ts';
import type { SwapBody } from './schemas.ts';
import { type FullEntryRow, getEntryRow } from './store.ts';
import { toEntry } from './view.ts';
import type { Entry } from './view-schemas.ts';

type SwapCall = EntryCall<SwapBody>;

interface Prepared {
	/** The parties that decided about the caller's right. */
	readonly read: Parameters<typeof requireSameParties>[0];
	readonly ids: ParticipantIds;
	readonly participants: Participants;
	readonly parties: EntryParties;
}

/**
 * Passes an entry with its starts, number and place to another horse or rider (OeTO §28.3–4):
 *  1. read event and entry; check that the entry concerns the caller, and look up the new pair
 *  2. wait for the turn in the queue of this event
 *  3. one transaction: lock the event, judge the new pair, change entry and starts, book the fee, keep the former pair
 * @throws ApiError, see the route; errors of peer calls.
 */
export async function swapEntry(request: SwapCall, deps: EventsDeps): Promise<Entry> {
	const { params, body, signal } = request;
	let leave = (): void => {};
	try {
		return await once(deps.db, request, {
			operationId: 'swapEntry',
			input: { params, body },
			check: async () => {
				const prepared = await prepare(request, deps); // 1
				leave = await deps.entryQueue.enter(params.id, signal); // 2
				return prepared;
			},
			effect: async (transaction, prepared) => {
				const event = await lockEvent(transaction, params.id, visibleTo(request.principal)); // 3
				// The lock wait may have exceeded the caller's timeout, which has then been reported.
				signal.throwIfAborted();
				const entry = await getEntryRow(transaction, params);
				requireVersion(request.preconditions, entry.version);
				deps.countOverrides(
					await swap({ db: transaction, jobs: deps.jobs }, { event, entry }, prepared, request),
				);
				const { principal, now } = request;
				return toEntry(await getEntryRow(transaction, params), { principal, now, present: prepared.parties });
			},
		});
	} finally {
		leave();
	}
}

async function prepare(request: SwapCall, { db, directory }: EventsDeps): Promise<Prepared> {
	const { params, principal } = request;
	const event = await getEventRow(db, params.id, visibleTo(principal));
	requireOverridesAllowed(request.body.overrides, principal, event);
	const entry = await getEntryRow(db, params);
	const ids = newPair(entry, request.body);
	const [present, participants] = await Promise.all([
		presentParties(entry, directory, request),
		findParticipants(ids, event, directory, request),
	]);
	if (!isConcerned(participants.acting, present))
		refuse(request, entry, 'The entry is passed on by those who act for its rider or horse now.');
	const parties = partiesOf(event, ids, participants);
	noteActing(participants.acting, parties);
	const read = { ...entry, organiserClubId: event.organiserClubId };
	return { read, ids, participants, parties };
}

function newPair(entry: ParticipantIds, { riderMemberId, horseId }: SwapBody): ParticipantIds {
	return { riderMemberId: riderMemberId ?? entry.riderMemberId, horseId: horseId ?? entry.horseId };
}

async function swap(
	{ db, jobs }: Pick<MailReason, 'db' | 'jobs'>,
	{ event, entry }: { readonly event: EventRow; readonly entry: FullEntryRow },
	{ read, ids, participants, parties }: Prepared,
	request: SwapCall,
): Promise<readonly StoredOverride[]> {
	const { body, now } = request;
	const principal = participants.acting;
	requireSameParties(read, entry, request);
	if (ids.horseId === entry.horseId && ids.riderMemberId === entry.riderMemberId)
		refuseInvalid([
			{ field: 'horseId', code: 'INVALID_RANGE', message: 'must be another horse, or the rider another one' },
		]);
	const starts = entry.starts.filter(({ status }) => isOpenStatus(status));
	await requireSwappable(db, event, { ...entry, starts }, now);
	requireChangesLeft(entry);
	// After the entry deadline the organiser agrees for both: the rider is at the show office with the licence (OeTO §28.4).
	const isDesk = entryWindow(event, now) === 'LATE' || entryWindow(event, now) === 'CLOSED';
	const agreed =
		isDesk && mayManage(principal, event.organiserClubId) ? entrySides : sidesOf(principal, parties);
	if (missingSides(agreed).length > 0)
		throw apiError('OUT_OF_SCOPE', {
			message:
				'An entry is passed on by a caller who acts for the new rider and the new horse, by the office, or after the entry deadline by the organiser.',
		});
	const question = {
		body: { ...ids, starts, type: entry.type, boxes: entry.boxes, overrides: body.overrides },
		participants,
		principal,
		now,
		// What was passed for one pair does not count for another.
		entry: {
			...storedEntry(entry),
			isOpen: false,
			agreed,
			overrides: formerOverrides(entry.overrides),
			kept: [],
		},
	};
	const judgement = await judgeEntry(db, event, question);
	// An entry is passed on after the entry deadline as well: it is no new one.
	const checks = judgement.checks.filter(({ code }) => !windowCodes.has(code));
	const readableChecks = disclosedChecks(checks, disclosureBefore(principal, parties));
	const pair = requireAcceptable(question, { ...judgement, checks, readableChecks });
	const marks = entry.checks.filter(({ code }) => code === 'DATE_CHANGED' || code === 'NO_REFUND');
	// The entry fee is that of the horse (OeTO §26.1), so that another rider changes nothing about it.
	const isAdditional = ids.horseId === entry.horseId ? entry.isAdditional : judgement.isAdditional;
	const judged = { ...judgement, isAdditional, checks: [...checks, ...marks] };
	const snapshot = entrySnapshot(event, question, judged, pair);
	const { type, status, position, updatedAt, isConfirmed, isHorseConfirmed, boxes, ...columns } = snapshot;
	await db
		.updateTable('entries')
		.set({ ...columns, ...changedAt(now) })
		.where('id', '=', entry.id)
		.execute();
	await db
		.updateTable('starts')
		.set(ids)
		.where('entryId', '=', entry.id)
		.where('status', 'in', openStatuses)
		.execute();
	await rejudgeEntriesOfHorse(db, event, entry.horseId, now);
	await recordSwap(db, entry, snapshot, { body, principal, now });
	await recordAct(db, entry.id, 'SWAPPED', parties, { principal, now });
	const to = { ...entry, ...columns, judgedBy: judgedBy(pair.rider, pair.horse) };
	await tellOfSwap({ db, jobs, principal, now }, event, { from: entry, to });
	const reason = ids.horseId === entry.horseId ? 'Change of rider' : 'Change of horse';
	await bookLines(
		db,
		entry.id,
		[{ kind: 'SWAP', amount: event.swapFee, reason }, ...entryFeeLine(entry, isAdditional, event)],
		{ by: principal.userId, now },
	);
	return judgement.overrides;
}

async function recordSwap(
	db: EventsQueryable,
	entry: FullEntryRow,
	to: Pick<FullEntryRow, 'riderMemberId' | 'riderName' | 'horseId' | 'horseName'>,
	{ body, principal, now }: Pick<SwapCall, 'body' | 'principal' | 'now'>,
): Promise<void> {
	await db
		.insertInto('entrySwaps')
		.values({
			entryId: entry.id,
			fromRiderMemberId: entry.riderMemberId,
			fromRiderName: entry.riderName,
			toRiderMemberId: to.riderMemberId,
			toRiderName: to.riderName,
			fromHorseId: entry.horseId,
			fromHorseName: entry.horseName,
			toHorseId: to.horseId,
			toHorseName: to.horseName,
			reason: body.reason ?? null,
			swappedBy: principal.userId,
			swappedAt: now,
		})
		.execute();
}

const windowCodes: ReadonlySet<string> = new Set(['EVENT_NOT_OPEN', 'LATE_ONLY_BY_ORGANISER']);

/** @throws ApiError ENTRY_NOT_SWAPPABLE unless the entry counts and none of its competitions has taken place. */
async function requireSwappable(
	db: EventsQueryable,
	event: EventRow,
	entry: FullEntryRow,
	now: Date,
): Promise<void> {
	const status = shownEntryStatus(entry.status, entry, now);
	const today = dayIn(event.venueTimeZone, now);
	const dates = new Map((await competitionRows(db, event.id)).map(({ id, date }) => [id, date]));
	const hasRidden = entry.starts.some(({ competitionId }) => (dates.get(competitionId) ?? today) < today);
	if (!isOpenStatus(status) || isOver(event, now) || hasRidden)
		throw eventsError('ENTRY_NOT_SWAPPABLE', { context: { status } });
}
