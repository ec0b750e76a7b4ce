import type { Ruleset } from '../enumerations.ts';

/** The part of a competition that decides on the age of its horses. */
interface HorseLevel {
	readonly level: string;
	readonly ponyOnly: boolean;
}

const youngest = 4;

/**
 * Minimum age of a horse by level, in years: A and easier 4, L 5, higher 6 (OeTO §53.2). LP is the dressage of level L;
 * LM is between L and M and so counts as higher. A number after the level is that of the dressage test (A2, LM5). In
 * eventing it is the height in centimetres: up to V100 4, V105 5, higher 6; for ponies V90 5, higher 6.
 */
export function horseMinAgeOf({ level, ponyOnly }: HorseLevel): number {
	const eventingCm = /^V ?(\d+)/.exec(level)?.[1];
	if (eventingCm !== undefined) return eventingAge(Number(eventingCm), ponyOnly ? 90 : 105);
	const [name = ''] = level.split(/[ *./\d-]/);
	if (name === 'E' || name === 'A') return youngest;
	return name === 'L' || name === 'LP' ? 5 : 6;
}

function eventingAge(heightCm: number, ofFiveYearsCm: number): number {
	if (heightCm < ofFiveYearsCm) return youngest;
	return heightCm === ofFiveYearsCm ? 5 : 6;
}

/** Lowest minimum age that the ruleset permits for the level; 0 for FEI levels, whose minimum ages the system does not know. */
export function horseMinAgeAllowed(ruleset: Ruleset, competition: HorseLevel): number {
	return ruleset === 'OETO' ? horseMinAgeOf(competition) : 0;
}
