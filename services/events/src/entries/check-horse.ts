import { isPaid } from './check-rider.ts';
import { type EntryCheck, errorCheck, warningCheck } from './entry-check.ts';
import type { EntryFacts } from './entry-facts.ts';

/** What speaks against the horse, whatever the competition. */
export function checkHorse({ horse, event }: Pick<EntryFacts, 'horse' | 'event'>): readonly EntryCheck[] {
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
