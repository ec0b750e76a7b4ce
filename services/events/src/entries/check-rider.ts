import { type EntryCheck, errorCheck, warningCheck } from './entry-check.ts';
import type { EntryFacts, EventFacts, RiderFacts } from './entry-facts.ts';

/** What speaks against the rider, whatever the competition. */
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

export function riderName({ firstName, lastName }: Pick<RiderFacts, 'firstName' | 'lastName'>): string {
	return `${firstName} ${lastName}`;
}

/** Whether a yearly fee is paid for that year; one paid for a later year covers it. */
export function isPaid(paidForYear: number | null, year: number): boolean {
	return paidForYear !== null && paidForYear >= year;
}
