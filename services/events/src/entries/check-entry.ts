import { checkCompetition } from './check-competition.ts';
import { type EntryCheck, errorCheck, riderName, warningCheck } from './entry-check.ts';
import type { EntryFacts, EventFacts } from './entry-facts.ts';
import { isTooLateToConfirm } from './entry-status.ts';
import { checkWindow, entryWindow } from './entry-window.ts';

/** All findings against an entry: event, rider, horse, then each competition in the order of the request. */
export function checkEntry(facts: EntryFacts): readonly EntryCheck[] {
	return [
		...checkWindow(facts),
		...checkConfirmation(facts),
		...checkRider(facts),
		...checkHorse(facts),
		...checkOnlyEntry(facts),
		...facts.competitions.flatMap((competition) => checkCompetition(competition, facts)),
	];
}

/** Findings against the rider, independent of the competition. */
export function checkRider({
	rider,
	event,
}: Pick<EntryFacts, 'rider'> & { readonly event: Pick<EventFacts, 'startDate'> }): readonly EntryCheck[] {
	if (rider === undefined) return [errorCheck('RIDER', 'RIDER_UNKNOWN', 'There is no such member to ride.')];
	const name = riderName(rider);
	const year = Number(event.startDate.slice(0, 4));
	const checks: EntryCheck[] = [];
	if (rider.status !== 'ACTIVE')
		// Why not (suspended, removed) is between the member and the federation.
		checks.push(errorCheck('RIDER', 'RIDER_NOT_ACTIVE', `${name} is not an active member.`));
	if (!isPaid(rider.feePaidForYear, year))
		checks.push(warningCheck('RIDER', 'FEE_UNPAID', `${name} has not paid the membership fee for ${year}.`));
	if (rider.homeClubId === null)
		checks.push(warningCheck('RIDER', 'HOME_CLUB_MISSING', `${name} belongs to no club.`));
	return checks;
}

/** Whether the annual fee of that year is paid; a payment for a later year covers it. */
export function isPaid(paidForYear: number | null, year: number): boolean {
	return paidForYear !== null && paidForYear >= year;
}

/** One entry per horse and event (OeTO §26.1); further competitions are added to it. */
export function checkOnlyEntry({
	horse,
	horseHasEntry,
}: Pick<EntryFacts, 'horse' | 'horseHasEntry'>): readonly EntryCheck[] {
	if (!horseHasEntry || horse === undefined) return [];
	const text = `${horse.name} already has an entry at this event. Add the competitions to that entry.`;
	return [errorCheck('HORSE', 'ENTRY_DUPLICATE', text)];
}

/** Findings against the horse, independent of the competition. */
export function checkHorse({
	horse,
	event,
}: Pick<EntryFacts, 'horse'> & { readonly event: Pick<EventFacts, 'startDate'> }): readonly EntryCheck[] {
	if (horse === undefined)
		return [errorCheck('HORSE', 'HORSE_UNKNOWN', 'There is no such horse in the registry.')];
	const year = Number(event.startDate.slice(0, 4));
	const checks: EntryCheck[] = [];
	if (horse.status !== 'ACTIVE')
		checks.push(
			errorCheck('HORSE', 'HORSE_NOT_ACTIVE', `${horse.name} is not registered as active: ${horse.status}.`),
		);
	if (!isPaid(horse.feePaidForYear, year))
		checks.push(
			warningCheck('HORSE', 'FEE_UNPAID', `The registration fee of ${horse.name} is not paid for ${year}.`),
		);
	return checks;
}

/** Findings against an entry that needs the confirmation of the rider's or the horse's side. */
export function checkConfirmation({
	event,
	confirmation,
	now,
}: Pick<EntryFacts, 'event' | 'confirmation' | 'now'>): readonly EntryCheck[] {
	if (confirmation === 'NOT_NEEDED') return [];
	if (confirmation === 'ALREADY_PENDING') {
		const text = 'This rider and this horse have an entry at the event that waits for a confirmation.';
		return [errorCheck('EVENT', 'CONFIRMATION_PENDING', text)];
	}
	// Outside of the regular window `checkWindow` already reports an error.
	if (entryWindow(event, now) !== 'REGULAR' || !isTooLateToConfirm(event, now)) return [];
	const text = 'The event has begun: only entries that need no confirmation are accepted.';
	return [errorCheck('EVENT', 'EVENT_NOT_OPEN', text)];
}
