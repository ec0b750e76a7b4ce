import { dayIn } from '@paddock/calendar';
import type { Principal } from '@paddock/identity';
import type { EventRow, EventsQueryable } from '../database-schema.ts';
import { mayManage } from '../event-access.ts';
import { timesOf } from '../event-status.ts';
import {
	countEntries,
	type EntryCounters,
	hasEntry,
	listOpenStarts,
	listTakenCompetitions,
	type OpenStart,
	type TakenCompetitionRow,
} from '../repository/places.ts';
import type { EntryBody } from '../schemas/entry-body.ts';
import { fullAmount } from './amount-due.ts';
import { checkEntry } from './check-entry.ts';
import type { EntryCheck } from './entry-check.ts';
import { disclosedChecks, disclosureBefore } from './entry-disclosure.ts';
import type { CompetitionFacts, EntryFacts } from './entry-facts.ts';
import { agreeingSides, type EntrySide, missingSides } from './entry-scope.ts';
import { type EntryType, openStatuses } from './entry-status.ts';
import { checkWindow, entryTypeOf } from './entry-window.ts';
import { type Participants, partiesOf } from './participants.ts';
import { type FreePlaces, freePlaces, hasPlace } from './waiting-list.ts';

/** A requested entry, with the caller and the time. */
export interface EntryQuestion {
	readonly body: EntryBody;
	readonly participants: Participants;
	readonly principal: Principal;
	readonly now: Date;
	/**
	 * The entry to change; its own starts do not count against it, nor, if it is open, as a second entry of its horse.
	 */
	readonly entry?: {
		readonly id: string;
		readonly isOpen: boolean;
		/** The sides that have already agreed. */
		readonly agreed: readonly EntrySide[];
	};
}

/** The outcome of an entry at the present state. */
export interface Judgement {
	readonly checks: readonly EntryCheck[];
	/** The checks that the caller may read. */
	readonly readableChecks: readonly EntryCheck[];
	readonly type: EntryType;
	/** The checks of the entry window only. */
	readonly window: readonly EntryCheck[];
	/** By number; without unknown ids. */
	readonly competitions: readonly TakenCompetitionRow[];
	/**
	 * The sides that agree to the entry: the caller's and those that agreed before. The entry counts once both agree.
	 */
	readonly agreed: readonly EntrySide[];
	/** Whether the event and all of the competitions have a place left. */
	readonly hasPlace: boolean;
	readonly places: FreePlaces;
	/** Cents, for these competitions, due once the entry counts. */
	readonly amountDue: number;
	readonly counters: EntryCounters;
}

/** Evaluates all checks and places. The result about places stays valid only while the event is locked. */
export async function judgeEntry(
	db: EventsQueryable,
	event: EventRow,
	question: EntryQuestion,
): Promise<Judgement> {
	const { body, participants, principal, now, entry } = question;
	const all = await listTakenCompetitions(db, event.id);
	const openStarts = await listOpenStarts(db, event.id, body, entry?.id);
	const { horseId, riderMemberId } = body;
	const openOfHorse = { horseId, statuses: openStatuses };
	const horseHasEntry = entry?.isOpen !== true && (await hasEntry(db, event.id, openOfHorse, entry?.id));
	const counters = await countEntries(db, event.id);
	const parties = partiesOf(event, body, participants);
	const type = entryTypeOf({ event: eventFacts(event), type: body.type, now });
	const agreed = [...agreeingSides(principal, parties, type), ...(entry?.agreed ?? [])];
	const needsConfirmation = missingSides(agreed).length > 0;
	const pending = { horseId, riderMemberId, statuses: ['PENDING_CONFIRMATION'] as const };
	const isPending = needsConfirmation && (await hasEntry(db, event.id, pending, entry?.id));
	const facts: EntryFacts = {
		...factsOf(event, question, all, openStarts),
		horseHasEntry,
		confirmation: isPending ? 'ALREADY_PENDING' : needsConfirmation ? 'NEEDED' : 'NOT_NEEDED',
	};
	const checks = checkEntry(facts);
	const requested = new Set(body.starts.map(({ competitionId }) => competitionId));
	const competitions = all.filter(({ id }) => requested.has(id));
	const places = freePlaces(event, counters.accepted, all, now);
	return {
		checks,
		readableChecks: disclosedChecks(checks, disclosureBefore(principal, parties)),
		type,
		window: checkWindow(facts),
		competitions,
		agreed,
		places,
		hasPlace: hasPlace(
			places,
			competitions.map(({ id }) => id),
		),
		amountDue: fullAmount({
			type,
			entryFee: event.entry_fee,
			lateSurcharge: event.late_surcharge,
			startFees: competitions.map(({ start_fee }) => start_fee),
		}),
		counters,
	};
}

function eventFacts(event: EventRow): EntryFacts['event'] {
	return { ...timesOf(event), storedStatus: event.status, startDate: event.start_date };
}

function factsOf(
	event: EventRow,
	{ body, participants, principal, now }: EntryQuestion,
	competitions: readonly TakenCompetitionRow[],
	openStarts: readonly OpenStart[],
): Omit<EntryFacts, 'confirmation' | 'horseHasEntry'> {
	const known = new Map(competitions.map((row) => [row.id, competitionFacts(row, body, openStarts)]));
	return {
		event: eventFacts(event),
		rider: participants.rider,
		horse: participants.horse,
		competitions: body.starts.map(({ competitionId }) => known.get(competitionId) ?? competitionId),
		ageClasses: participants.ageClasses,
		type: body.type,
		byOrganiser: mayManage(principal, event.organiser_club_id),
		now,
		today: dayIn(event.venue_time_zone, now),
	};
}

function competitionFacts(
	row: TakenCompetitionRow,
	{ riderMemberId, horseId }: EntryBody,
	openStarts: readonly OpenStart[],
): CompetitionFacts {
	const here = openStarts.filter(({ competition_id }) => competition_id === row.id);
	return {
		id: row.id,
		number: row.number,
		name: row.name,
		discipline: row.discipline,
		date: row.date,
		ageClasses: row.age_classes,
		horseMinAge: row.horse_min_age,
		ponyOnly: row.pony_only,
		isCancelled: row.status === 'CANCELLED',
		hasHorse: here.some(({ horse_id }) => horse_id === horseId),
		ridersHorses: here.filter(
			({ rider_member_id, horse_id }) => rider_member_id === riderMemberId && horse_id !== horseId,
		).length,
	};
}
