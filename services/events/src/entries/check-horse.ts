import { isPaid } from './check-rider.ts';
import { type EntryCheck, errorCheck, warningCheck } from './entry-check.ts';
import type { EntryFacts, EventFacts } from './entry-facts.ts';

/** One entry per horse and event (OeTO §26.1); further competitions are added to it. */
export function checkOnlyEntry({
	horse,
	horseHasEntry,
}: Pick<EntryFacts, 'horse' | 'horseHasEntry'>): readonly EntryCheck[] {
	if (!horseHasEntry || horse === undefined) return [];
	const text = `${horse.name} already has an entry at this event. Add the competitions to that entry.`;
	return [errorCheck('HORSE', 'ENTRY_DUPLICATE', text)];
}

/** What speaks against the horse, whatever the competition. */
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
