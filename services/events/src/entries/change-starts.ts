import { dayIn } from '@paddock/calendar';
import { apiError, refuseInvalid } from '@paddock/contract';
import { requireVersion, type UpdateCall } from '@paddock/service';
import type { CompetitionRow, StoredOverride } from '../database-schema.ts';
import type { EventsDeps } from '../deps.ts';
import type { EntryStatus } from '../enumerations.ts';
import { eventsError } from '../errors.ts';
import { errorCheck, isAcceptable, judgedBy, toCheck, withNoRefund } from './entry-check.ts';
import { illegalStep } from './finish-entry.ts';
import { type Judgement, judgeEntry, overrideBy, storedEntry } from './judge-entry.ts';
import {
	areBoxesKeptDue,
	bookLines,
	boxLine,
	type LedgerLine,
	requireBoxesOffered,
	requireChangesLeft,
	startCharge,
} from './ledger.ts';
import { changeEntry, type EntryRequest, type LockedEntry } from './locked-entry.ts';
import { requestedOverrides, requireOverridesAllowed } from './overrides.ts';
import { listTakenCompetitions } from './places.ts';
import { rejudgeEntries, rejudgeEntriesOfHorse } from './rejudge-entries.ts';
import { type PresentParticipants, participantsOf, refuse } from './rights/present-parties.ts';
import { agreeingSides, isConcerned, recordAct } from './rights/sides.ts';
import { isOpenStatus, isUnendedStatus, shownEntryStatus } from './rules.ts';
import type { EntryChangeBody } from './schemas.ts';
import { type FullEntryRow, replaceStarts } from './store.ts';
import { toEntry } from './view.ts';
import type { Entry } from './view-schemas.ts';
import { hasPlace } from './waiting-list.ts';

type ChangeRequest = UpdateCall<EntryChangeBody> & EntryRequest;

/** While the event accepts entries of the type; promotes waiting entries to freed places. @throws ApiError, see the route. */
export function changeStarts(request: ChangeRequest, deps: EventsDeps): Promise<Entry> {
	return changeEntry<PresentParticipants>(request, deps, {
		prepare: async (event, entry) => {
			const prepared = await participantsOf(entry, event, deps.directory, request);
			if (!isConcerned(request.principal, prepared.present))
				refuse(request, entry, 'The entry is changed by those who act for its rider or horse now.');
			requireVersion(request.preconditions, entry.version);
			const { principal, now, update } = request;
			update.onto(toEntry(entry, { principal, now, present: prepared.present }));
			return prepared;
		},
		apply: async (locked, prepared) => {
			// Places that are free already belong to the waiting list; the promotion does not change an accepted entry.
			if (locked.entry.status === 'ACCEPTED') await locked.promoteWaiting();
			deps.countOverrides(await change(locked, prepared, request));
			await rejudgeEntriesOfHorse(locked.db, locked.event, locked.entry.horseId, request.now);
			await locked.promoteWaiting();
		},
	});
}

async function change(
	{ db, event, entry }: LockedEntry,
	{ participants, present }: PresentParticipants,
	request: ChangeRequest,
): Promise<readonly StoredOverride[]> {
	const { update, principal, now } = request;
	requireVersion(request.preconditions, entry.version);
	const body = update.onto(toEntry(entry, { principal, now, present }));
	const shown = shownEntryStatus(entry.status, entry, now);
	if (!isUnendedStatus(shown)) throw illegalStep(shown, entry.status, []);
	const changed = changedStarts(entry.starts, body.starts);
	requireStartLeft(changed);
	// Absent: cleared, since the body has the stored number of a request that left it out.
	const { boxes = 0 } = body;
	requireOverridesAllowed(body.overrides, principal, event);
	const overrides = {
		requested: requestedOverrides(body.overrides),
		by: overrideBy({ participants, principal, now }),
	};
	if (changed.added.length === 0 && changed.removed.length === 0 && boxes === entry.boxes) {
		if (overrides.requested.length === 0) return [];
		return await rejudgeEntries(db, event, {
			now,
			entryId: entry.id,
			overrides,
			rejudging: { ...participants, judgedBy: new Map() },
		});
	}
	requireChangesLeft(entry);
	requireUpcoming(changed, await listTakenCompetitions(db, event.id), dayIn(event.venueTimeZone, now));
	const judgement = await judgeChange({ event, entry, db }, { participants, present }, request, {
		changed,
		boxes,
		overrides: body.overrides,
	});
	const isAdding = changed.added.length > 0;
	const fees = new Map(judgement.competitions.map(({ id, startFee }) => [id, startFee]));
	// The other findings are those of all its starts, judged again below.
	const marks = entry.checks.filter(({ code }) => code === 'DATE_CHANGED' || code === 'NO_REFUND');
	const checks = isAdding ? [...judgement.checks, ...marks] : entry.checks;
	const keepsBoxesDue = boxes < entry.boxes && areBoxesKeptDue(entry, event, now);
	await replaceStarts(db, entry, {
		added: changed.added.map((id) => ({ competitionId: id, startFee: fees.get(id) ?? 0 })),
		removed: changed.removed,
		checks: keepsBoxesDue ? withNoRefund(checks, '23.4', event) : checks,
		boxes,
		now,
	});
	await recordAct(db, entry.id, 'CHANGED', present, { principal, now });
	if (isOpenStatus(entry.status)) {
		const lines = [
			...startLines(entry, changed, judgement.competitions),
			...boxLine(entry, boxes, event, now),
		];
		await bookLines(db, entry.id, lines, { by: principal.userId, now });
	}
	const { rider, horse, ageClasses, ruleset } = participants;
	const isKnown = isAdding && rider !== undefined && horse !== undefined;
	return await rejudgeEntries(db, event, {
		now,
		entryId: entry.id,
		overrides: { ...overrides, added: judgement.overrides },
		rejudging: {
			ruleset,
			ageClasses,
			judgedBy: new Map(isKnown ? [[entry.id, judgedBy(rider, horse)]] : []),
		},
	});
}

function startLines(
	{ starts }: FullEntryRow,
	{ added, removed }: ChangedStarts,
	competitions: readonly CompetitionRow[],
): readonly LedgerLine[] {
	const lost = starts.filter(({ competitionId }) => removed.includes(competitionId));
	return [
		...competitions.filter(({ id }) => added.includes(id)).map(startCharge),
		...lost.map(({ competitionId, startFee }) => ({
			kind: 'REFUND' as const,
			amount: -startFee,
			competitionId,
			reason: 'Start removed',
		})),
	];
}

interface WantedChange {
	readonly changed: ChangedStarts;
	readonly boxes: number;
	readonly overrides: EntryChangeBody['overrides'];
}

/** @throws ApiError OUT_OF_SCOPE, ENTRY_NOT_ALLOWED, COMPETITION_FULL, BOXES_FULL */
async function judgeChange(
	{ db, event, entry }: Pick<LockedEntry, 'db' | 'event' | 'entry'>,
	{ participants, present }: PresentParticipants,
	{ principal, now }: ChangeRequest,
	{ changed, boxes, overrides }: WantedChange,
): Promise<Judgement> {
	const { riderMemberId, horseId } = entry;
	const starts = changed.added.map((competitionId) => ({ competitionId }));
	// Without a type: that of the current window, since a new date may have opened another one than that of the entry.
	const judgement = await judgeEntry(db, event, {
		body: { riderMemberId, horseId, starts, overrides },
		participants,
		principal,
		now,
		entry: { ...storedEntry(entry), kept: changed.kept },
	});
	const isAdding = changed.added.length > 0;
	const sides = agreeingSides(principal, present, judgement.type);
	// Before the rider's confirmation other concerned callers may add starts too. The horse's side may remove starts or withdraw.
	if (isAdding && entry.isConfirmed && !sides.includes('RIDER'))
		throw apiError('OUT_OF_SCOPE', {
			message: 'The rider, a guardian, the home club or the office adds starts to a confirmed entry.',
		});
	// Removal does not check rider and horse, who may have been suspended since.
	const readable = isAdding ? judgement.readableChecks : judgement.window.map(toCheck);
	if (!isAcceptable(isAdding ? judgement.checks : judgement.window))
		throw eventsError('ENTRY_NOT_ALLOWED', { context: { checks: readable } });
	// The entry keeps its place at the event; only the added competitions need a free place.
	if (entry.status === 'ACCEPTED' && !hasPlace({ ...judgement.places, entries: null }, changed.added))
		throw eventsError('COMPETITION_FULL');
	const added = Math.max(0, boxes - entry.boxes);
	if (added > 0) requireBoxesOffered(event, boxes);
	if (entry.status === 'ACCEPTED' && !hasPlace({ ...judgement.places, entries: null }, [], added))
		throw eventsError('BOXES_FULL');
	return judgement;
}

/** @throws ApiError VALIDATION_ERROR if no start remains: such an entry must be withdrawn instead. */
function requireStartLeft({ kept, added }: ChangedStarts): void {
	if (kept.length + added.length > 0) return;
	const message = 'must leave a start in a competition that takes place; withdraw the entry instead';
	refuseInvalid([{ field: 'starts', code: 'INVALID_RANGE', message }]);
}

/** Past starts were ridden or their places reserved, so that their fees stay due. @throws ApiError ENTRY_NOT_ALLOWED */
function requireUpcoming(
	{ removed }: ChangedStarts,
	competitions: readonly Pick<CompetitionRow, 'id' | 'date' | 'name' | 'number'>[],
	today: string,
): void {
	const over = competitions.filter(({ id, date }) => removed.includes(id) && date < today);
	if (over.length === 0) return;
	const checks = over.map(({ name, number, date }) =>
		toCheck(errorCheck('EVENT', 'COMPETITION_OVER', `${name} (no. ${number}) was on ${date}.`)),
	);
	throw eventsError('ENTRY_NOT_ALLOWED', { context: { checks } });
}

/** Competition ids of the starts that a change keeps, adds and removes. */
export interface ChangedStarts {
	/** Open before and after. */
	readonly kept: readonly string[];
	readonly added: readonly string[];
	readonly removed: readonly string[];
}

interface Start {
	readonly competitionId: string;
	readonly status: EntryStatus;
}

/** A start that was cancelled with its competition stays on the entry, whether or not the request lists it. */
export function changedStarts(
	present: readonly Start[],
	wanted: readonly { readonly competitionId: string }[],
): ChangedStarts {
	const cancelled = new Set(idsOf(present.filter(({ status }) => status === 'CANCELLED')));
	const open = idsOf(present).filter((id) => !cancelled.has(id));
	const wantedIds = idsOf(wanted);
	return {
		kept: open.filter((id) => wantedIds.includes(id)),
		added: wantedIds.filter((id) => !open.includes(id) && !cancelled.has(id)),
		removed: open.filter((id) => !wantedIds.includes(id)),
	};
}

function idsOf(starts: readonly { readonly competitionId: string }[]): string[] {
	return starts.map(({ competitionId }) => competitionId);
}
