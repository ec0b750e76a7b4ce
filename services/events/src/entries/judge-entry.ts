import { ageInYear, dayIn } from '@paddock/calendar';
import { apiError } from '@paddock/contract';
import { searchLines } from '@paddock/database';
import { isOfficer, type Principal } from '@paddock/identity';
import { fullName } from '@paddock/text';
import type { EntryCheck, EntryRow, EventRow, EventsQueryable, StoredOverride } from '../database-schema.ts';
import type { EntrySide, EntryType } from '../enumerations.ts';
import { eventsError } from '../errors.ts';
import { mayManage } from '../events/access.ts';
import type { HorseRecord, MemberRecord } from '../peers/records.ts';
import { ageClassCodes, type CompetitionFacts } from './check-competition.ts';
import { checkEntry, checkWindow, type EntryFacts, entryTypeOf } from './check-entry.ts';
import { disclosedChecks, disclosureBefore, isAcceptable, judgedBy, riderFacts } from './entry-check.ts';
import { entryCharges, type LedgerLine } from './ledger.ts';
import { findNeighbours, type HorseElsewhere } from './neighbours.ts';
import {
	type OverrideRequest,
	requestedOverrides,
	requireOverridesAllowed,
	withOverrides,
} from './overrides.ts';
import {
	type EntryCounters,
	type OpenStart,
	type PairAtEvent,
	type ParticipantIds,
	readPairAtEvent,
	readPlaces,
	type TakenCompetitionRow,
	type TakenPlaces,
} from './places.ts';
import { type Participants, partiesOf } from './rights/present-parties.ts';
import { agreedSides, agreeingSides, horseParties, missingSides, riderParties } from './rights/sides.ts';
import { isOpenStatus } from './rules.ts';
import type { EntryBody } from './schemas.ts';
import type { ConfirmedEntry } from './store.ts';
import type { Entry } from './view-schemas.ts';
import { type FreePlaces, freePlaces, hasPlace } from './waiting-list.ts';

export interface EntryQuestion {
	readonly body: EntryBody;
	readonly participants: Participants;
	readonly principal: Principal;
	readonly now: Date;
	/** If they have been read under the lock already. */
	readonly taken?: TakenPlaces;
	readonly pair?: PairAtEvent;
	readonly elsewhere?: readonly HorseElsewhere[] | undefined;
	/**
	 * The entry to change; its own starts do not count against it, nor, if it is open, as a second entry of its horse.
	 */
	readonly entry?: {
		readonly id: string;
		readonly isOpen: boolean;
		/** The sides that have already agreed. */
		readonly agreed: readonly EntrySide[];
		readonly isAdditional: boolean;
		readonly overrides: readonly StoredOverride[];
		/** Ids of competitions whose starts it keeps; the rules count them. */
		readonly kept: readonly string[];
	};
}

export interface Judgement {
	/** Whether it is a further entry of its horse, with another rider, which costs no entry fee (OeTO §26.1). */
	readonly isAdditional: boolean;
	readonly overrides: readonly StoredOverride[];
	readonly checks: readonly EntryCheck[];
	readonly readableChecks: Entry['checks'];
	readonly type: EntryType;
	/** The checks of the entry window only. */
	readonly window: readonly EntryCheck[];
	/** By number; without unknown ids. */
	readonly competitions: readonly TakenCompetitionRow[];
	/** The sides that agree to the entry: the caller's and those that agreed before. */
	readonly agreed: readonly EntrySide[];
	/** The status of the entry if it is acceptable; it counts once both sides agree. */
	readonly status: 'PENDING_CONFIRMATION' | 'ACCEPTED' | 'WAITLISTED';
	readonly places: FreePlaces;
	/** Lines for these competitions, booked once the entry counts. */
	readonly charges: readonly LedgerLine[];
	readonly counters: EntryCounters;
}

/**
 * Evaluates all checks and places. The result about places stays valid only while the event is locked.
 * @throws ApiError OUT_OF_SCOPE; CONFLICT if the age classes are those of a ruleset that the event no longer has
 */
export async function judgeEntry(
	db: EventsQueryable,
	event: EventRow,
	question: EntryQuestion,
): Promise<Judgement> {
	const { body, participants, principal, now, entry } = question;
	if (participants.ruleset !== event.ruleset) throw apiError('CONFLICT');
	const { competitions: all, counters } = question.taken ?? (await readPlaces(db, event));
	const { riderMemberId, boxes = 0 } = body;
	const { entriesOfHorse, openStarts } =
		question.pair ?? (await readPairAtEvent(db, event.id, body, entry?.id));
	const parties = partiesOf(event, body, participants);
	const type = entryTypeOf(event, body.type, now);
	const agreed = [...agreeingSides(principal, parties, type), ...(entry?.agreed ?? [])];
	const needsConfirmation = missingSides(agreed).length > 0;
	const isRiderIn = agreed.includes('RIDER');
	// Others get the same response for a deleted member as for an unknown one.
	const rider = isRiderIn || participants.rider?.status !== 'INACTIVE' ? participants.rider : undefined;
	const isPending =
		needsConfirmation &&
		entriesOfHorse.some((of) => of.status === 'PENDING_CONFIRMATION' && of.riderMemberId === riderMemberId);
	const known = new Map(all.map((row) => [row.id, competitionFacts(row, body, openStarts)]));
	const requested = new Set(body.starts.map(({ competitionId }) => competitionId));
	const competitions = all.filter(({ id }) => requested.has(id));
	const { elsewhere } = question;
	const asked = { ids: body, all, competitions, openStarts, entriesOfHorse, elsewhere, entry };
	const neighbours = await findNeighbours(db, event, asked);
	const facts: EntryFacts = {
		...participants,
		...neighbours,
		rider: rider === undefined ? undefined : riderFacts(rider),
		event,
		competitions: body.starts.map(({ competitionId }) => known.get(competitionId) ?? competitionId),
		type: body.type,
		byOrganiser: mayManage(principal, event.organiserClubId),
		confirmation: isPending ? 'ALREADY_PENDING' : needsConfirmation ? 'NEEDED' : 'NOT_NEEDED',
		now,
		today: dayIn(event.venueTimeZone, now),
	};
	const { checks: found, added } = withOverrides(checkEntry(facts), overridesOf(event, question));
	const checks = isRiderIn ? found : found.filter(isDecisiveForOthers);
	const places = freePlaces(event, counters, all, now);
	const isPlaced = hasPlace(
		places,
		competitions.map(({ id }) => id),
		boxes,
	);
	const isAdditional = entry?.isOpen === true ? entry.isAdditional : neighbours.isFurtherEntry;
	return {
		isAdditional,
		overrides: added,
		checks,
		readableChecks: disclosedChecks(checks, disclosureBefore(principal, parties)),
		type,
		window: checkWindow(facts),
		competitions,
		agreed,
		status: needsConfirmation ? 'PENDING_CONFIRMATION' : isPlaced ? 'ACCEPTED' : 'WAITLISTED',
		places,
		charges: entryCharges(isAdditional ? { ...event, entryFee: 0 } : event, { type, competitions, boxes }),
		counters,
	};
}

/** From refused entries others would learn who is suspended and how old a child is; the confirmation counts all findings. */
function isDecisiveForOthers({ about, level, code }: EntryCheck): boolean {
	return about !== 'RIDER' || level === 'WARNING' || code === 'RIDER_UNKNOWN';
}

/** @throws ApiError OUT_OF_SCOPE */
function overridesOf(
	event: EventRow,
	{ body: { overrides }, participants, principal, now, entry }: EntryQuestion,
): OverrideRequest {
	requireOverridesAllowed(overrides, principal, event);
	return {
		requested: requestedOverrides(overrides),
		stored: entry?.overrides ?? [],
		by: overrideBy({ participants, principal, now }),
	};
}

export function overrideBy({
	participants,
	principal,
	now,
}: Pick<EntryQuestion, 'participants' | 'principal' | 'now'>): OverrideRequest['by'] {
	const office = isOfficer(principal) ? 'Federation’s office' : 'Organiser';
	return {
		byUserId: principal.userId,
		byName: participants.callerName ?? office,
		at: now.toISOString(),
	};
}

export function storedEntry(entry: EntryRow): Omit<NonNullable<EntryQuestion['entry']>, 'kept'> {
	const { id, status, isAdditional, overrides } = entry;
	return { id, isOpen: isOpenStatus(status), agreed: agreedSides(entry), isAdditional, overrides };
}

function competitionFacts(
	row: TakenCompetitionRow,
	{ riderMemberId, horseId }: ParticipantIds,
	openStarts: readonly OpenStart[],
): CompetitionFacts {
	const here = openStarts.filter(({ competitionId }) => competitionId === row.id);
	const otherHorses = here.filter(
		(start) => start.riderMemberId === riderMemberId && start.horseId !== horseId,
	);
	return {
		...row,
		horsesRiders: here.filter((start) => start.horseId === horseId).map((start) => start.riderMemberId),
		ridersHorses: otherHorses.length,
	};
}

/** The lines to book for a judged entry: none before both sides agree. */
export function chargesOf({ status, charges }: Judgement): readonly LedgerLine[] {
	return status === 'PENDING_CONFIRMATION' ? [] : charges;
}

export interface EntryPair {
	readonly rider: MemberRecord;
	readonly horse: HorseRecord;
}

/** @throws ApiError ENTRY_NOT_ALLOWED with the checks that the caller may read. */
export function requireAcceptable({ participants }: EntryQuestion, judgement: Judgement): EntryPair {
	const { rider, horse } = participants;
	if (rider !== undefined && horse !== undefined && isAcceptable(judgement.checks)) return { rider, horse };
	throw eventsError('ENTRY_NOT_ALLOWED', { context: { checks: judgement.readableChecks } });
}

export function entrySnapshot(
	{ startDate }: EventRow,
	{ body, participants, now, entry }: EntryQuestion,
	{ type, status, agreed, checks, counters, isAdditional, overrides, competitions }: Judgement,
	{ rider, horse }: EntryPair,
): ConfirmedEntry {
	const age = ageInYear(rider.dateOfBirth, startDate);
	const { horseKeeperIds, horseClubId } = horseParties(horse);
	const disciplines = competitions.map(({ discipline }) => discipline);
	return {
		type,
		status,
		position: status === 'WAITLISTED' ? counters.nextPosition : null,
		...riderParties(rider.id, rider),
		riderName: fullName(rider),
		searchText: searchLines(
			horse.name,
			horse.headNumber,
			// A rider who has not confirmed is not found by name.
			agreed.includes('RIDER') ? fullName(rider) : null,
		),
		riderClubName: rider.homeClubName,
		riderNation: rider.nationality,
		riderAgeClasses: [...ageClassCodes(participants.ageClasses, age, { date: startDate, disciplines })],
		horseId: horse.id,
		horseName: horse.name,
		horseHeadNumber: horse.headNumber,
		horseBirthYear: horse.birthYear,
		horseSireName: horse.sireName,
		horseClubId,
		horseKeeperIds: [...horseKeeperIds],
		checks: JSON.stringify(checks),
		overrides: JSON.stringify([...(entry?.overrides ?? []), ...overrides]),
		isAdditional,
		judgedBy: JSON.stringify(judgedBy(rider, horse)),
		boxes: body.boxes ?? 0,
		isConfirmed: agreed.includes('RIDER'),
		isHorseConfirmed: agreed.includes('HORSE'),
		updatedAt: now,
	};
}
