import { timeInVienna, yearOf } from '@paddock/calendar';
import type { EntryCheck, EventRow } from '../database-schema.ts';
import type { EntryType } from '../enumerations.ts';
import { type EntryTimes, entryWindow } from '../events/rules.ts';
import { judgeByRules, ruleOf } from '../rules/entry-rules.ts';
import type { RuledEntry, StartElsewhere, StartedChampionship } from '../rules/ruled-entry.ts';
import {
	type CompetitionFacts,
	checkCompetition,
	type RiderFacts,
	type Rules,
	title,
} from './check-competition.ts';
import { errorCheck, warningCheck } from './entry-check.ts';
import { isTooLateToConfirm } from './rules.ts';

type CompetitionQuestion = Parameters<typeof checkCompetition>[1];

export interface EntryFacts extends CompetitionQuestion {
	readonly event: EntryTimes &
		Pick<EventRow, 'startsAt' | 'startDate' | 'ruleset' | 'category' | 'officials'>;
	/** Whether the horse has another open entry at the event. */
	readonly horseHasEntry: boolean;
	/** Whether the entry may be a further one of its horse, with another rider (OeTO §55.1.2). */
	readonly isFurtherEntry: boolean;
	/** Further open starts of the horse at the event, and those at other events on the same days. */
	readonly otherStarts: readonly Rules[];
	readonly elsewhere: readonly StartElsewhere[];
	/** Starts of the rider in championships. */
	readonly championships: readonly StartedChampionship[];
	/** In the order of the request; see `checkCompetition`. */
	readonly competitions: readonly (CompetitionFacts | string)[];
	/** The requested type; undefined = derived from the current entry window. */
	readonly type: EntryType | undefined;
	/** Whether the caller acts for the organiser or the federation's office. */
	readonly byOrganiser: boolean;
	/** ALREADY_PENDING: an equal entry waits for the confirmation already. */
	readonly confirmation: 'NOT_NEEDED' | 'NEEDED' | 'ALREADY_PENDING';
	readonly now: Date;
}

type StartDate = Pick<EventRow, 'startDate'>;

/** All findings against an entry: event, rider, horse, then each competition in the order of the request. */
export function checkEntry(facts: EntryFacts): readonly EntryCheck[] {
	return [
		...checkWindow(facts),
		...checkConfirmation(facts),
		...checkRider(facts.rider, facts.event),
		...checkHorse(facts.horse, facts.event),
		...checkOnlyEntry(facts),
		...facts.competitions.flatMap((competition) => checkCompetition(competition, facts)),
		...checkRules({
			...facts,
			starts: facts.competitions.filter((competition) => typeof competition !== 'string'),
			isLate: isLateEntry(facts),
		}),
	];
}

/** Whether the entry is accepted as a late one, for the surcharge. */
function isLateEntry({ byOrganiser, event, type, now }: EntryFacts): boolean {
	return byOrganiser && entryWindow(event, now) === 'LATE' && entryTypeOf(event, type, now) === 'LATE';
}

interface RulesQuestion extends Pick<EntryFacts, 'otherStarts' | 'elsewhere' | 'championships'> {
	readonly event: Pick<EventRow, 'ruleset' | 'category' | 'officials'>;
	readonly rider: RuledEntry['rider'];
	readonly horse: RuledEntry['horse'];
	readonly isLate: boolean;
	readonly starts: readonly (Rules & { readonly id: string })[];
}

/** Violations of the rules of the OeTO about the entry as a whole, see rules/entry-rules.ts. */
export function checkRules({ event, starts, otherStarts, ...entry }: RulesQuestion): readonly EntryCheck[] {
	if (event.ruleset !== 'OETO' || starts.length === 0) return [];
	const ruled = (start: Rules & { readonly id?: string }) => ({ id: '', ...start, title: title(start) });
	return judgeByRules({ ...entry, event, starts: starts.map(ruled), others: otherStarts.map(ruled) }).map(
		({ rule, message, subject }) => ({
			...errorCheck(rule.about, rule.code, message, { rule, subject }),
			level: rule.level,
		}),
	);
}

/** Findings against the rider, independent of the competition. */
export function checkRider(rider: EntryFacts['rider'], { startDate }: StartDate): readonly EntryCheck[] {
	if (rider === undefined) return [errorCheck('RIDER', 'RIDER_UNKNOWN', 'There is no such member to ride.')];
	const { name } = rider;
	const checks: EntryCheck[] = [];
	// Only the rider's side reads it, see `disclosedChecks`; the reason is between the member and the federation.
	if (rider.status === 'SUSPENDED') checks.push(suspendedCheck(name, startDate));
	else if (rider.status !== 'ACTIVE')
		checks.push(errorCheck('RIDER', 'RIDER_NOT_ACTIVE', `${name} is not an active member.`));
	checks.push(...checkRiderFee(rider, { startDate }));
	if (rider.homeClubId === null)
		checks.push(
			warningCheck('RIDER', 'HOME_CLUB_MISSING', `${name} belongs to no club.`, {
				rule: ruleOf('HOME_CLUB_MISSING', startDate),
			}),
		);
	return checks;
}

function suspendedCheck(name: string, date: string): EntryCheck {
	const code = 'RIDER_ON_SUSPENSION_LIST';
	return errorCheck('RIDER', code, `${name} is suspended.`, { rule: ruleOf(code, date) });
}

type Payer = Pick<RiderFacts, 'name' | 'feePaidForYear'>;

/** A warning unless the rider's fee is paid for the year of the event. */
export function checkRiderFee(rider: Payer, { startDate }: StartDate): readonly EntryCheck[] {
	const year = yearOf(startDate);
	const text = `${rider.name} has not paid the membership fee for ${year}.`;
	return isPaid(rider, year) ? [] : [warningCheck('RIDER', 'FEE_UNPAID', text)];
}

export function checkHorseFee(horse: Payer, { startDate }: StartDate): readonly EntryCheck[] {
	const year = yearOf(startDate);
	const text = `The registration fee of ${horse.name} is not paid for ${year}.`;
	const code = 'HORSE_FEE_UNPAID';
	return isPaid(horse, year) ? [] : [warningCheck('HORSE', code, text, { rule: ruleOf(code, startDate) })];
}

/** Whether the annual fee of that year is paid; a payment for a later year covers it. */
function isPaid({ feePaidForYear }: { readonly feePaidForYear: number | null }, year: number): boolean {
	return feePaidForYear !== null && feePaidForYear >= year;
}

/** Findings against the horse, independent of the competition. */
export function checkHorse(horse: EntryFacts['horse'], { startDate }: StartDate): readonly EntryCheck[] {
	if (horse === undefined)
		return [errorCheck('HORSE', 'HORSE_UNKNOWN', 'There is no such horse in the registry.')];
	const { name, status } = horse;
	const checks: EntryCheck[] = [];
	if (status !== 'ACTIVE')
		checks.push(errorCheck('HORSE', 'HORSE_NOT_ACTIVE', `${name} is not registered as active: ${status}.`));
	checks.push(...checkHorseFee(horse, { startDate }));
	return checks;
}

/** One entry per horse and event (OeTO §26.1); further competitions are added to it. */
function checkOnlyEntry({ horse, horseHasEntry, isFurtherEntry, event }: EntryFacts): readonly EntryCheck[] {
	if (!horseHasEntry || isFurtherEntry || horse === undefined) return [];
	const text = `${horse.name} already has an entry at this event. Add the competitions to that entry.`;
	const rule = ruleOf('ENTRY_DUPLICATE', event.startDate);
	return [errorCheck('HORSE', 'ENTRY_DUPLICATE', text, { rule })];
}

/** Findings against an entry that needs the confirmation of the rider's or the horse's side. */
function checkConfirmation({ event, confirmation, now }: EntryFacts): readonly EntryCheck[] {
	if (confirmation === 'NOT_NEEDED') return [];
	if (confirmation === 'ALREADY_PENDING') {
		const text = 'This rider and this horse have an entry at the event that waits for a confirmation.';
		return [errorCheck('EVENT', 'CONFIRMATION_PENDING', text)];
	}
	// Outside of the regular window `checkWindow` already reports an error.
	if (entryWindow(event, now) !== 'REGULAR' || !isTooLateToConfirm(event, now)) return [];
	return [notOpen('The event has begun: only entries that need no confirmation are accepted.')];
}

/** The type of an entry: the requested one, otherwise the one of the current entry window. */
export function entryTypeOf(event: EntryTimes, type: EntryType | undefined, now: Date): EntryType {
	return type ?? (entryWindow(event, now) === 'LATE' ? 'LATE' : 'REGULAR');
}

/** Checks whether the event accepts an entry of this type from this caller now. */
export function checkWindow(facts: WindowFacts): readonly EntryCheck[] {
	const { event, byOrganiser, now } = facts;
	const type = entryTypeOf(event, facts.type, now);
	const { status, entriesOpenAt, entryDeadline, lateEntryUntil } = event;
	switch (entryWindow(event, now)) {
		case 'NOT_YET':
			return [notOpen(notYetText(entriesOpenAt))];
		case 'REGULAR':
			return type === 'REGULAR' ? [] : [notOpen(lateTooEarlyText(entryDeadline))];
		case 'LATE':
			if (!byOrganiser) return [errorCheck('EVENT', 'LATE_ONLY_BY_ORGANISER', lateText(event))];
			return type === 'LATE' ? [] : [notOpen(closedText(entryDeadline))];
		case 'CLOSED':
			if (status === 'PUBLISHED') return [notOpen(closedText(lateEntryUntil ?? entryDeadline))];
			return [notOpen(status === 'CANCELLED' ? 'The event has been cancelled.' : 'The event is over.')];
	}
}

type WindowFacts = Pick<EntryFacts, 'event' | 'type' | 'byOrganiser' | 'now'>;

function notOpen(message: string): EntryCheck {
	return errorCheck('EVENT', 'EVENT_NOT_OPEN', message);
}

function notYetText(entriesOpenAt: Date | null): string {
	return entriesOpenAt === null
		? 'The event takes no entries yet.'
		: `The event takes entries from ${timeInVienna(entriesOpenAt)}.`;
}

function lateTooEarlyText(entryDeadline: Date | null): string {
	return entryDeadline === null
		? 'The event takes no late entries.'
		: `Late entries begin after ${timeInVienna(entryDeadline)}; before that an entry costs no surcharge.`;
}

function lateText({ entryDeadline, lateEntryUntil }: EntryTimes): string {
	const closed = closedText(entryDeadline);
	if (lateEntryUntil === null) return closed;
	return `${closed} Late entries are made by the organiser, until ${timeInVienna(lateEntryUntil)}.`;
}

function closedText(at: Date | null): string {
	return at === null ? 'The event takes no more entries.' : `Entries closed on ${timeInVienna(at)}.`;
}
