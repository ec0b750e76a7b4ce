import type { Ruleset } from './rulesets.ts';

const youngest = 4;

/**
 * Minimum age of a horse by class, in years: A and easier 4, L 5, higher 6 (OeTO §53.2). LP is the dressage of class L;
 * LM is between L and M and so counts as higher. A number after the class is that of the dressage test (A2, LM5).
 */
export function horseMinAgeOf(competitionClass: string): number {
	const [name = ''] = competitionClass.split(/[ *./\d-]/);
	if (name === 'E' || name === 'A') return youngest;
	return name === 'L' || name === 'LP' ? 5 : 6;
}

/** Lowest minimum age that the ruleset permits for the class; 0 for FEI classes, whose minimum ages the system does not know. */
export function horseMinAgeAllowed(ruleset: Ruleset, competitionClass: string): number {
	return ruleset === 'OETO' ? horseMinAgeOf(competitionClass) : 0;
}
