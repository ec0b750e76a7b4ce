import type { Ruleset } from './rulesets.ts';

const youngest = 4;

/**
 * How old a horse must be in a class, in years: A (and what is easier) 4, L 5, higher 6. OeTO §53.2. LP is the
 * dressage of class L; LM stands between L and M and so is higher. A number behind the class is that of the dressage test
 * (A2, LM5).
 */
export function horseMinAgeOf(competitionClass: string): number {
	const [name = ''] = competitionClass.split(/[ *./\d-]/);
	if (name === 'E' || name === 'A') return youngest;
	return name === 'L' || name === 'LP' ? 5 : 6;
}

/** The age below which the ruleset lets no horse start in the class; the FEI's own minima aren't kept here. */
export function horseMinAgeAllowed(ruleset: Ruleset, competitionClass: string): number {
	return ruleset === 'OETO' ? horseMinAgeOf(competitionClass) : 0;
}
