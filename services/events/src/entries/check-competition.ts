import { ageInYear } from '@paddock/calendar';
import { admitsAge, definitionsOf } from './age-class.ts';
import { type EntryCheck, errorCheck, riderName } from './entry-check.ts';
import type { CompetitionFacts, EntryFacts, HorseFacts, RiderFacts } from './entry-facts.ts';

/** Maximum number of horses per rider in one competition. */
export const horsesPerRiderMax = 3;

/** Findings against this rider and this horse in one competition. */
export function checkCompetition(
	competition: CompetitionFacts | string,
	facts: Pick<EntryFacts, 'rider' | 'horse' | 'ageClasses' | 'today'>,
): readonly EntryCheck[] {
	if (typeof competition === 'string')
		return [errorCheck('EVENT', 'COMPETITION_UNKNOWN', `The event has no competition ${competition}.`)];
	const { rider, horse } = facts;
	return [
		...checkCourse(competition, facts.today),
		...(rider === undefined ? [] : checkAge(competition, rider, facts)),
		...(horse === undefined ? [] : checkHorseIn(competition, horse)),
		...(rider === undefined ? [] : checkHorseCount(competition, rider)),
	];
}

function checkCourse(competition: CompetitionFacts, today: string): readonly EntryCheck[] {
	const called = title(competition);
	if (competition.isCancelled)
		return [errorCheck('EVENT', 'COMPETITION_CANCELLED', `${called} has been cancelled.`)];
	if (competition.date < today)
		return [errorCheck('EVENT', 'COMPETITION_OVER', `${called} was on ${competition.date}.`)];
	return [];
}

function checkAge(
	competition: CompetitionFacts,
	rider: RiderFacts,
	{ ageClasses }: Pick<EntryFacts, 'ageClasses'>,
): readonly EntryCheck[] {
	const { ageClasses: codes, date } = competition;
	if (codes.length === 0) return [];
	const age = ageInYear(rider.dateOfBirth, date);
	const definitions = codes.flatMap((code) => definitionsOf(code, ageClasses, competition));
	if (definitions.some((definition) => admitsAge(definition, age))) return [];
	const open = definitions.map((definition) => `${definition.code} (${agesText(definition)})`);
	const classes = open.length === 0 ? codes.join(', ') : open.join(', ');
	const text = `${riderName(rider)} counts as ${age} in ${date.slice(0, 4)}; ${title(competition)} is for ${classes}.`;
	return [errorCheck('RIDER', 'AGE_CLASS', text)];
}

function agesText({ minAge, maxAge }: { minAge: number | null; maxAge: number | null }): string {
	if (minAge !== null && maxAge !== null) return `${minAge} to ${maxAge}`;
	if (minAge !== null) return `${minAge} and older`;
	return maxAge === null ? 'any age' : `up to ${maxAge}`;
}

/**
 * Limits of the horse. It must have the minimum age of the level (OeTO §53.2), counted by calendar year like the
 * rider's; in pony competitions it must be a pony; it starts at most once.
 */
function checkHorseIn(competition: CompetitionFacts, horse: HorseFacts): readonly EntryCheck[] {
	const { horseMinAge, date, ponyOnly, hasHorse } = competition;
	const called = title(competition);
	const checks: EntryCheck[] = [];
	const age = ageInYear(horse.birthYear, date);
	if (horseMinAge !== null && age < horseMinAge) {
		const text = `${horse.name} counts as ${age} years old in ${date.slice(0, 4)}; in ${called} horses must be ${horseMinAge} or older.`;
		checks.push(errorCheck('HORSE', 'HORSE_TOO_YOUNG', text));
	}
	if (ponyOnly && !horse.isPony)
		checks.push(
			errorCheck(
				'HORSE',
				'NOT_A_PONY',
				`${called} is for ponies; ${horse.name} is none${heightText(horse)}.`,
			),
		);
	if (hasHorse)
		checks.push(
			errorCheck('HORSE', 'HORSE_ALREADY_ENTERED', `${horse.name} is already entered in ${called}.`),
		);
	return checks;
}

function heightText({ heightCm }: HorseFacts): string {
	return heightCm === null ? '' : ` (${heightCm} cm)`;
}

function checkHorseCount(competition: CompetitionFacts, rider: RiderFacts): readonly EntryCheck[] {
	if (competition.hasHorse || competition.ridersHorses < horsesPerRiderMax) return [];
	const text = `${riderName(rider)} already rides ${competition.ridersHorses} horses in ${title(competition)}; ${horsesPerRiderMax} are allowed.`;
	return [errorCheck('RIDER', 'TOO_MANY_HORSES', text)];
}

function title({ number, name }: CompetitionFacts): string {
	return `${name} (no. ${number})`;
}
