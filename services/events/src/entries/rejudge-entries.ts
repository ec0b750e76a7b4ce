import { ageInYear, yearOf } from '@paddock/calendar';
import { ApiError } from '@paddock/contract';
import { asSystem } from '@paddock/database';
import type { CallingRequest } from '@paddock/peers';
import { competitionRows } from '../competitions/store.ts';
import type {
	CompetitionRow,
	EntryCheck,
	EntryRow,
	EventRow,
	EventsQueryable,
	JudgedBy,
	StoredOverride,
} from '../database-schema.ts';
import type { Ruleset } from '../enumerations.ts';
import type { Directory } from '../peers/directory.ts';
import type { AgeClassRecord } from '../peers/records.ts';
import { entryRuleCodes } from '../rules/catalogue.ts';
import { ageClassCodes, checkAge, checkHorseIn, checkOnlyStart } from './check-competition.ts';
import { checkHorseFee, checkRiderFee, checkRules } from './check-entry.ts';
import { judgedBy, warningCheck } from './entry-check.ts';
import { listUnended, listUnjudgeable, storeJudgements } from './judgements.ts';
import { neighboursOfAll } from './neighbours.ts';
import { type OverrideRequest, withOverrides, withStoredOverrides } from './overrides.ts';
import { isUnendedStatus } from './rules.ts';
import type { FullEntryRow } from './store.ts';

/** Data of other contexts by which entries are judged again; looked up before the event is locked. */
export interface Rejudging {
	readonly ruleset: Ruleset;
	/** Undefined: not needed then, or masterdata did not respond. */
	readonly ageClasses: readonly AgeClassRecord[] | undefined;
	/** By entry id, if newer than the stored data or in their place. */
	readonly judgedBy: ReadonlyMap<string, JudgedBy>;
}

interface Plan {
	/** After the change. */
	readonly ruleset: Ruleset;
	/** Whether the change restricts a competition to age classes, or changes the age classes of riders. */
	readonly needsAgeClasses: boolean;
}

/** What the stored entries lack. If a service does not respond, they get NOT_RECHECKED, and `promoteEverywhere` judges them again. */
export async function prepareRejudging(
	db: EventsQueryable,
	event: Pick<EventRow, 'id' | 'status'>,
	{ ruleset, needsAgeClasses }: Plan,
	{ directory, call }: { readonly directory: Directory; readonly call: CallingRequest },
): Promise<Rejudging> {
	const nothing = { ruleset, ageClasses: undefined, judgedBy: new Map<string, JudgedBy>() };
	if (event.status !== 'PUBLISHED') return nothing;
	const { hasEntries, isRestricted, incomplete } = await listUnjudgeable(db, event.id);
	if (!hasEntries) return nothing;
	const [ageClasses, found] = await Promise.all([
		isRestricted || needsAgeClasses ? unlessDown(directory.ageClasses(ruleset, call)) : undefined,
		unlessDown(lookUpFacts(incomplete, directory, call)),
	]);
	return { ruleset, ageClasses, judgedBy: found ?? nothing.judgedBy };
}

async function unlessDown<Found>(found: Promise<Found>): Promise<Found | undefined> {
	try {
		return await found;
	} catch (error) {
		if (error instanceof ApiError && error.status >= 500) return undefined;
		throw error;
	}
}

async function lookUpFacts(
	entries: readonly Pick<EntryRow, 'id' | 'riderMemberId' | 'horseId'>[],
	{ members, horses }: Directory,
	call: CallingRequest,
): Promise<ReadonlyMap<string, JudgedBy>> {
	if (entries.length === 0) return new Map();
	const [riders, mounts] = await Promise.all([
		members(
			entries.map(({ riderMemberId }) => riderMemberId),
			call,
		),
		horses(
			entries.map(({ horseId }) => horseId),
			call,
		),
	]);
	const found = new Map<string, JudgedBy>();
	for (const { id, riderMemberId, horseId } of entries) {
		const rider = riders.get(riderMemberId);
		const horse = mounts.get(horseId);
		if (rider !== undefined && horse !== undefined) found.set(id, judgedBy(rider, horse));
	}
	return found;
}

/** A change of dates, which the entries concerned are marked with. */
export interface Move {
	/** The entries with a start in one of them. */
	readonly competitionIds: ReadonlySet<string>;
	readonly text: string;
	/** Until when those entries can be withdrawn free of charge (OeTO §34.2). */
	readonly freeUntil: Date;
}

const dayMs = 86_400_000;

/** To the start of the event, and for a day at least. */
export function freeAfterMove({ startsAt }: Pick<EventRow, 'startsAt'>, now: Date): Date {
	return new Date(Math.max(startsAt.getTime(), now.getTime() + dayMs));
}

interface Change {
	readonly now: Date;
	readonly rejudging: Rejudging;
	readonly move?: Move | undefined;
	/** True if the first day moved to another year or the ruleset changed: the age classes of riders change with it. */
	readonly agesChanged?: boolean;
	readonly entryId?: string;
	/** Only entries of this horse with findings of `causedByOthers`, and only by those rules. */
	readonly horseId?: string;
	/** Overrides of the request; `added` were stored with the new starts already. */
	readonly overrides?: Pick<OverrideRequest, 'requested' | 'by'> & {
		readonly added?: readonly StoredOverride[];
	};
}

/** Entries keep their places. Call it in the transaction of every change of the event or of starts. Resolves with new overrides. */
export async function rejudgeEntries(
	db: EventsQueryable,
	event: EventRow,
	change: Change,
): Promise<readonly StoredOverride[]> {
	if (event.status !== 'PUBLISHED') return [];
	const unended = await listUnended(db, event.id, change);
	const rows =
		change.horseId === undefined
			? unended
			: unended.filter(({ checks }) => checks.some(({ code }) => causedByOthers.has(code)));
	if (rows.length === 0) return [];
	const competitions = new Map((await competitionRows(db, event.id)).map((row) => [row.id, row]));
	const neighboursOf = await neighboursOfAll(db, event, rows, competitions);
	const judgements = rows.map((row) => judgementOf(row, { event, competitions, neighboursOf }, change));
	await storeJudgements(
		db,
		judgements.filter(({ isShown, judgedBy: facts }) => isShown || facts !== null),
		change.now,
	);
	return judgements.flatMap(({ overrides }) => overrides);
}

/**
 * Judges entries of a horse again that other starts of it exclude, after one of its entries ended, lost starts or was passed on. Needs
 * no other service. Call it before `promoteWaiting`; needs the lock on the event.
 */
export async function rejudgeEntriesOfHorse(
	db: EventsQueryable,
	event: EventRow,
	horseId: string,
	now: Date,
): Promise<void> {
	const rejudging = { ruleset: event.ruleset, ageClasses: undefined, judgedBy: new Map<string, JudgedBy>() };
	// They are entries of others: the caller is not the author of what changes.
	await asSystem(db, () => rejudgeEntries(db, event, { now, horseId, rejudging }));
}

/** Codes of findings that other starts of the horse at the event cause. */
const causedByOthers: ReadonlySet<string> = new Set([
	'HORSE_CLASS_RANGE',
	'HORSE_TOO_MANY_STARTS',
	'HORSE_TWICE_IN_COMPETITION',
]);

/** Codes of findings that a change of the event does not concern. */
const keptCodes = [
	'ENTRY_DUPLICATE',
	'HOME_CLUB_MISSING',
	'NO_REFUND',
	'RIDER_ON_SUSPENSION_LIST',
	'RIDER_TOO_MANY_HORSES',
];

/** Codes of findings that depend on the event; all others stay as they are. */
const rejudged: ReadonlySet<string> = new Set([
	...entryRuleCodes.filter((code) => !keptCodes.includes(code)),
	'FEE_UNPAID',
	'NOT_RECHECKED',
	// AGE_CLASS_MISMATCH of version 0.3.0, which may still run during an update.
	'AGE_CLASS',
]);

const notRechecked = warningCheck(
	'EVENT',
	'NOT_RECHECKED',
	'This entry could not be checked after a change of the event. It is checked again automatically.',
);

interface Present {
	readonly event: EventRow;
	readonly competitions: ReadonlyMap<string, CompetitionRow>;
	readonly neighboursOf: Awaited<ReturnType<typeof neighboursOfAll>>;
}

function judgementOf(row: FullEntryRow, present: Present, change: Change) {
	const { event } = present;
	const neighbours = present.neighboursOf(row);
	const { rejudging, move, agesChanged = false } = change;
	const codes = change.horseId === undefined ? rejudged : causedByOthers;
	const found = rejudging.judgedBy.get(row.id);
	const ageClasses = rejudging.ruleset === event.ruleset ? rejudging.ageClasses : undefined;
	const known = found ?? row.judgedBy;
	const competitions = openCompetitions(row, present.competitions);
	const wantsAges =
		agesChanged || change.entryId !== undefined || row.checks.some(({ code }) => code === 'NOT_RECHECKED');
	const moved = move !== undefined && competitions.some(({ id }) => move.competitionIds.has(id));
	const canCount = known !== null && ageClasses !== undefined;
	const unsure = new Set<string>([
		...(known === null ? ['FEE_UNPAID', 'HORSE_FEE_UNPAID', 'HORSE_LAPSED', 'YOUTH_NOT_ALLOWED'] : []),
		...(!canCount && competitions.some((each) => each.ageClasses.length > 0) ? ['AGE_CLASS_MISMATCH'] : []),
		...(known === null && competitions.some(({ ponyOnly }) => ponyOnly) ? ['NOT_A_PONY'] : []),
	]);
	const isUnsure =
		codes.has(notRechecked.code) &&
		(unsure.has('AGE_CLASS_MISMATCH') || unsure.has('NOT_A_PONY') || (agesChanged && !canCount));
	const kept = row.checks.filter(
		({ code }) => unsure.has(code) || !(codes.has(code) || (moved && code === 'DATE_CHANGED')),
	);
	const current = [
		...(known === null ? [] : feeChecks(row, known, event)),
		...competitions.flatMap((each) => ruleChecks(each, { row, known, event, ageClasses }, neighbours)),
		...wholeChecks(competitions, { row, known, event }, neighbours),
	];
	const judged = [
		...kept,
		...current.filter(({ code }) => codes.has(code)),
		...(moved ? [warningCheck('EVENT', 'DATE_CHANGED', move.text)] : []),
		...(isUnsure ? [notRechecked] : []),
		// Before the rider's side agrees, errors about the rider decide nothing, see `judgeEntry`.
	].filter(({ about, level }) => row.isConfirmed || about !== 'RIDER' || level === 'WARNING');
	const { requested = [], by, added: before = [] } = change.overrides ?? {};
	const stored = [...row.overrides, ...before];
	const { checks, added } =
		by === undefined
			? { checks: withStoredOverrides(judged, stored), added: [] }
			: withOverrides(judged, { requested, stored, by });
	const { startDate: date } = event;
	const disciplines = competitions.map(({ discipline }) => discipline);
	const riderAgeClasses =
		canCount && wantsAges
			? ageClassCodes(ageClasses, ageInYear(known.riderBirthYear, date), { date, disciplines })
			: row.riderAgeClasses;
	const isSame = areSame(checks, row.checks) && String(riderAgeClasses) === String(row.riderAgeClasses);
	return {
		id: row.id,
		checks: isSame ? row.checks : checks,
		riderAgeClasses,
		judgedBy: found ?? null,
		overrides: [...before, ...added],
		freeUntil: moved ? move.freeUntil : null,
		isShown: moved || !isSame || added.length > 0 || before.length > 0,
	};
}

function openCompetitions(
	{ starts }: Pick<FullEntryRow, 'starts'>,
	competitions: Present['competitions'],
): readonly CompetitionRow[] {
	return starts
		.filter(({ status }) => isUnendedStatus(status))
		.flatMap(({ competitionId }) => competitions.get(competitionId) ?? []);
}

function feeChecks(row: FullEntryRow, known: JudgedBy, event: EventRow): readonly EntryCheck[] {
	return [
		...checkRiderFee({ name: row.riderName, feePaidForYear: known.riderFeePaidForYear }, event),
		...checkHorseFee({ name: row.horseName, feePaidForYear: known.horseFeePaidForYear }, event),
	];
}

interface Judged {
	readonly row: FullEntryRow;
	readonly known: JudgedBy | null;
	readonly event: EventRow;
	readonly ageClasses: readonly AgeClassRecord[] | undefined;
}

function ruleChecks(
	competition: CompetitionRow,
	{ row, known, event, ageClasses }: Judged,
	{ ridersIn }: ReturnType<Present['neighboursOf']>,
): readonly EntryCheck[] {
	const horse = {
		name: row.horseName,
		birthYear: row.horseBirthYear,
		// Unknown: what was found about it before stays.
		isPony: known?.horseIsPony ?? true,
		heightCm: known?.horseHeightCm ?? null,
	};
	const rider = {
		id: row.riderMemberId,
		name: row.riderName,
		birthYear: known?.riderBirthYear ?? yearOf(event.startDate),
	};
	const canCount = known !== null && ageClasses !== undefined;
	return [
		...(canCount ? checkAge(competition, rider, { event, ageClasses }) : []),
		...checkHorseIn(competition, horse, event),
		...checkOnlyStart({ ...competition, horsesRiders: ridersIn(competition.id) }, horse, {
			event,
			riderId: row.riderMemberId,
		}),
	];
}

/** Rules about all starts of an entry, and those of other entries of its horse and its rider. */
function wholeChecks(
	competitions: readonly CompetitionRow[],
	{ row, known, event }: Omit<Judged, 'ageClasses'>,
	neighbours: ReturnType<Present['neighboursOf']>,
): readonly EntryCheck[] {
	return checkRules({
		event,
		// Unknown: old enough for everything; the findings of before stay.
		rider: {
			id: row.riderMemberId,
			name: row.riderName,
			birthYear: known?.riderBirthYear ?? 0,
			nationality: row.riderNation,
		},
		horse: {
			name: row.horseName,
			headNumber: row.horseHeadNumber,
			feePaidForYear: known?.horseFeePaidForYear ?? null,
		},
		isLate: row.type === 'LATE',
		starts: competitions,
		...neighbours,
	});
}

/** Whether both have the same findings, in whatever order. */
function areSame(one: readonly EntryCheck[], other: readonly EntryCheck[]): boolean {
	const texts = (checks: readonly EntryCheck[]) =>
		checks
			.map(({ code, level, about, message }) => JSON.stringify([code, level, about, message]))
			.sort()
			.join();
	return texts(one) === texts(other);
}
