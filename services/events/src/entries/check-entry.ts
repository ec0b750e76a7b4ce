import { checkCompetition } from './check-competition.ts';
import { checkConfirmation } from './check-confirmation.ts';
import { checkHorse, checkOnlyEntry } from './check-horse.ts';
import { checkRider } from './check-rider.ts';
import { checkWindow } from './check-window.ts';
import type { EntryCheck } from './entry-check.ts';
import type { EntryFacts } from './entry-facts.ts';

/** All that speaks against an entry, at once: event, rider, horse, then each competition in the order of the request. */
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
