import { ageInYear } from '@paddock/calendar';
import type { CompetitionRow, EntryCheck, EventRow } from '../database-schema.ts';
import type { AgeClassReference, HorseReference, MemberReference } from '../peers/records.ts';
import { errorCheck } from './entry-check.ts';

/** The data of a rider that decides on an entry. */
export interface RiderFacts extends Pick<MemberReference, 'homeClubId' | 'status' | 'feePaidForYear'> {
	readonly name: string;
	readonly birthYear: number;
}

/** The data of rider and horse on which the rules of a competition depend. */
interface Competitors {
	readonly rider: Pick<RiderFacts, 'name' | 'birthYear'>;
	readonly horse: Pick<HorseFacts, 'name' | 'birthYear' | 'isPony' | 'heightCm'>;
}

/** The data of a horse that decides on an entry. */
export type HorseFacts = Pick<
	HorseReference,
	'name' | 'birthYear' | 'isPony' | 'heightCm' | 'status' | 'feePaidForYear'
>;

/** The part of a competition that its riders and horses have to fit. */
export interface Rules extends Pick<CompetitionRow, 'number' | 'name' | 'discipline' | 'date' | 'ponyOnly'> {
	/** Codes; empty = open to all. */
	readonly ageClasses: readonly string[];
	/** In years; null = any. */
	readonly horseMinAge: number | null;
}

/** A competition of the event that the entry requests. */
export interface CompetitionFacts extends Rules, Pick<CompetitionRow, 'status'> {
	/** Whether this horse has an open entry in it. */
	readonly hasHorse: boolean;
	/** Number of the rider's horses in it, without this one. */
	readonly ridersHorses: number;
}

interface Pair {
	/** Undefined: unknown id. */
	readonly rider: RiderFacts | undefined;
	readonly horse: HorseFacts | undefined;
	readonly event: Pick<EventRow, 'startDate'>;
	/** Definitions of the event's ruleset. */
	readonly ageClasses: readonly AgeClassReference[];
	/** The current day at the venue, `YYYY-MM-DD`. */
	readonly today: string;
}

/** Maximum number of horses per rider in one competition. */
const horsesPerRiderMax = 3;

/**
 * Findings against this rider and this horse in one competition. A string is the id of a competition that the event does
 * not have.
 */
export function checkCompetition(
	competition: CompetitionFacts | string,
	{ event, rider, horse, ageClasses, today }: Pair,
): readonly EntryCheck[] {
	if (typeof competition === 'string')
		return [errorCheck('EVENT', 'COMPETITION_UNKNOWN', `The event has no competition ${competition}.`)];
	return [
		...checkCourse(competition, today),
		...(rider === undefined ? [] : checkAge(competition, rider, { event, ageClasses })),
		...(horse === undefined
			? []
			: [...checkHorseIn(competition, horse), ...checkOnlyStart(competition, horse)]),
		...(rider === undefined ? [] : checkHorseCount(competition, rider)),
	];
}

function checkCourse(competition: CompetitionFacts, today: string): readonly EntryCheck[] {
	const { status, date } = competition;
	const called = title(competition);
	if (status === 'CANCELLED')
		return [errorCheck('EVENT', 'COMPETITION_CANCELLED', `${called} has been cancelled.`)];
	return date < today ? [errorCheck('EVENT', 'COMPETITION_OVER', `${called} was on ${date}.`)] : [];
}

/** Riders who are eligible when the event begins are so for all of it, also beyond the end of a year (OeTO §41.1). */
export function checkAge(
	competition: Rules,
	rider: Competitors['rider'],
	{ event: { startDate: date }, ageClasses }: Pick<Pair, 'event' | 'ageClasses'>,
): readonly EntryCheck[] {
	const { ageClasses: codes } = competition;
	if (codes.length === 0) return [];
	const age = ageInYear(rider.birthYear, date);
	const definitions = codes.flatMap((code) => definitionsOf(code, ageClasses, { ...competition, date }));
	if (definitions.some((definition) => admitsAge(definition, age))) return [];
	const open = definitions.map((definition) => `${definition.code} (${agesText(definition)})`);
	const classes = open.length === 0 ? codes.join(', ') : open.join(', ');
	const text = `${rider.name} counts as ${age} in ${date.slice(0, 4)}; ${title(competition)} is for ${classes}.`;
	return [errorCheck('RIDER', 'AGE_CLASS', text)];
}

/**
 * The definitions of a code that apply: those for ponies in pony competitions, otherwise those for horses. A code that
 * exists only in the other table (the FEI's PONY) resolves to that one.
 */
export function definitionsOf(
	code: string,
	all: readonly AgeClassReference[],
	{ date, discipline, ponyOnly }: Pick<CompetitionRow, 'date' | 'ponyOnly'> & { readonly discipline: string },
): readonly AgeClassReference[] {
	const valid = all.filter(
		(definition) =>
			definition.code === code &&
			(definition.discipline === null || definition.discipline === discipline) &&
			isValidOn(definition, date),
	);
	const ofTable = valid.filter(({ category }) => category === (ponyOnly ? 'PONY' : 'RIDER'));
	return ofTable.length > 0 ? ofTable : valid;
}

/** Distinct codes of all classes that a rider of this age belongs to on that day, as stored in an entry. */
export function ageClassCodes(
	all: readonly AgeClassReference[],
	age: number,
	date: string,
): readonly string[] {
	const fitting = all.filter((definition) => admitsAge(definition, age) && isValidOn(definition, date));
	return [...new Set(fitting.map(({ code }) => code))];
}

/** Whether a rider of this age belongs to the class. */
export function admitsAge({ minAge, maxAge }: AgeClassReference, age: number): boolean {
	return (minAge ?? age) <= age && age <= (maxAge ?? age);
}

/** Whether the definition of an age class applies on that day. */
export function isValidOn(
	{ validFrom, validTo }: Pick<AgeClassReference, 'validFrom' | 'validTo'>,
	date: string,
): boolean {
	return (validFrom ?? date) <= date && date <= (validTo ?? date);
}

function agesText({ minAge, maxAge }: AgeClassReference): string {
	if (minAge !== null && maxAge !== null) return `${minAge} to ${maxAge}`;
	if (minAge !== null) return `${minAge} and older`;
	return maxAge === null ? 'any age' : `up to ${maxAge}`;
}

/**
 * Limits of the horse. It must have the minimum age of the level (OeTO §53.2), counted by calendar year like the
 * rider's; in pony competitions it must be a pony.
 */
export function checkHorseIn(competition: Rules, horse: Competitors['horse']): readonly EntryCheck[] {
	const { horseMinAge, date, ponyOnly } = competition;
	const { name, heightCm } = horse;
	const called = title(competition);
	const checks: EntryCheck[] = [];
	const age = ageInYear(horse.birthYear, date);
	if (horseMinAge !== null && age < horseMinAge) {
		const text = `${name} counts as ${age} years old in ${date.slice(0, 4)}; in ${called} horses must be ${horseMinAge} or older.`;
		checks.push(errorCheck('HORSE', 'HORSE_TOO_YOUNG', text));
	}
	if (ponyOnly && !horse.isPony) {
		const height = heightCm === null ? '' : ` (${heightCm} cm)`;
		checks.push(errorCheck('HORSE', 'NOT_A_PONY', `${called} is for ponies; ${name} is none${height}.`));
	}
	return checks;
}

function checkOnlyStart(competition: CompetitionFacts, { name }: HorseFacts): readonly EntryCheck[] {
	if (!competition.hasHorse) return [];
	const text = `${name} is already entered in ${title(competition)}.`;
	return [errorCheck('HORSE', 'HORSE_ALREADY_ENTERED', text)];
}

function checkHorseCount(competition: CompetitionFacts, rider: RiderFacts): readonly EntryCheck[] {
	if (competition.hasHorse || competition.ridersHorses < horsesPerRiderMax) return [];
	const text = `${rider.name} already rides ${competition.ridersHorses} horses in ${title(competition)}; ${horsesPerRiderMax} are allowed.`;
	return [errorCheck('RIDER', 'TOO_MANY_HORSES', text)];
}

function title({ number, name }: Pick<CompetitionRow, 'number' | 'name'>): string {
	return `${name} (no. ${number})`;
}
