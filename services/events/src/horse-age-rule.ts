import type { Ruleset } from './enumerations.ts';

const youngest = 4;

/**
 * Minimum age of a horse by level, in years: A and easier 4, L 5, higher 6 (OeTO §53.2). LP is the dressage of level L;
 * LM is between L and M and so counts as higher. A number after the level is that of the dressage test (A2, LM5).
 */
export function horseMinAgeOf(level: string): number {
	const [name = ''] = level.split(/[ *./\d-]/);
	if (name === 'E' || name === 'A') return youngest;
	return name === 'L' || name === 'LP' ? 5 : 6;
}

/** Lowest minimum age that the ruleset permits for the level; 0 for FEI levels, whose minimum ages the system does not know. */
export function horseMinAgeAllowed(ruleset: Ruleset, level: string): number {
	return ruleset === 'OETO' ? horseMinAgeOf(level) : 0;
}
