import { ageInYear } from '@paddock/calendar';
import type { CompetitionRow, EntryCheck, EventRow } from '../database-schema.ts';
import type { AgeClassRecord, HorseRecord, MemberRecord } from '../peers/records.ts';
import { ridersPerHorse, ruleOf } from '../rules/entry-rules.ts';
import { horseAgesOf } from '../rules/horse-ages.ts';
import type { RuledCompetition } from '../rules/rule.ts';
import { errorCheck } from './entry-check.ts';

export interface RiderFacts
	extends Pick<MemberRecord, 'homeClubId' | 'status' | 'feePaidForYear' | 'nationality'> {
	readonly id: string;
	readonly name: string;
	readonly birthYear: number;
}

interface Competitors {
	readonly rider: Pick<RiderFacts, 'name' | 'birthYear'>;
	readonly horse: Pick<HorseFacts, 'name' | 'birthYear' | 'isPony' | 'heightCm'>;
}

export type HorseFacts = Pick<
	HorseRecord,
	'name' | 'birthYear' | 'isPony' | 'heightCm' | 'headNumber' | 'status' | 'feePaidForYear'
>;

/** The part of a competition that its riders and horses have to fit. */
export interface Rules
	extends Pick<CompetitionRow, 'number' | 'name' | 'horseMaxAge' | 'championship' | keyof RuledCompetition> {
	/** Codes; empty = open to all. */
	readonly ageClasses: readonly string[];
	/** In years; null = any. */
	readonly horseMinAge: number | null;
}

export interface CompetitionFacts extends Rules, Pick<CompetitionRow, 'id' | 'status'> {
	/** Ids of the riders of the open starts that the horse has in it. */
	readonly horsesRiders: readonly string[];
	/** Number of the rider's horses in it, without this one. */
	readonly ridersHorses: number;
}

interface Pair {
	/** Undefined: unknown id. */
	readonly rider: RiderFacts | undefined;
	readonly horse: HorseFacts | undefined;
	readonly event: Pick<EventRow, 'startDate' | 'ruleset' | 'category'>;
	readonly ageClasses: readonly AgeClassRecord[];
	/** The current day at the venue, `YYYY-MM-DD`. */
	readonly today: string;
}

/** Maximum number of horses per rider in one competition under other rules than the OeTO. */
const horsesPerRiderMax = 3;

/** Findings against this pair in one competition. A string is the id of a competition that the event does not have. */
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
			: [
					...checkHorseIn(competition, horse, event),
					...checkOnlyStart(competition, horse, { event, riderId: rider?.id }),
				]),
		...(rider === undefined ? [] : checkHorseCount(competition, rider, event)),
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
	competition: Rules & { readonly id?: string },
	rider: Competitors['rider'],
	{ event, ageClasses }: Pick<Pair, 'event' | 'ageClasses'>,
): readonly EntryCheck[] {
	const { ageClasses: codes } = competition;
	const { startDate: date } = event;
	if (codes.length === 0) return [];
	const age = ageInYear(rider.birthYear, date);
	const definitions = codes.flatMap((code) => definitionsOf(code, ageClasses, { ...competition, date }));
	if (definitions.some((definition) => admitsAge(definition, age))) return [];
	const open = definitions.map((definition) => `${definition.code} (${agesText(definition)})`);
	const classes = open.length === 0 ? codes.join(', ') : open.join(', ');
	const text = `${rider.name} counts as ${age} in ${date.slice(0, 4)}; ${title(competition)} is for ${classes}.`;
	return [
		errorCheck('RIDER', 'AGE_CLASS_MISMATCH', text, violated('AGE_CLASS_MISMATCH', competition, event)),
	];
}

/** Those for ponies in pony competitions, else for horses; of one table only, those; of the discipline before general ones (§12(2)). */
export function definitionsOf(
	code: string,
	all: readonly AgeClassRecord[],
	{ date, discipline, ponyOnly }: Pick<CompetitionRow, 'date' | 'ponyOnly'> & { readonly discipline: string },
): readonly AgeClassRecord[] {
	const valid = all.filter(
		(definition) =>
			definition.code === code &&
			(definition.discipline === null || definition.discipline === discipline) &&
			isValidOn(definition, date),
	);
	const ofTable = valid.filter(({ category }) => category === (ponyOnly ? 'PONY' : 'RIDER'));
	const known = ofTable.length > 0 ? ofTable : valid;
	const own = known.filter((definition) => definition.discipline !== null);
	return own.length > 0 ? own : known;
}

/** Codes of all classes, as an entry stores them, that a rider of this age belongs to, for horses or ponies. */
export function ageClassCodes(
	all: readonly AgeClassRecord[],
	age: number,
	{ date, disciplines }: { readonly date: string; readonly disciplines: readonly string[] },
): readonly string[] {
	const codes = new Set(all.map(({ code }) => code));
	const admits = (code: string) =>
		disciplines.some((discipline) =>
			[false, true].some((ponyOnly) =>
				definitionsOf(code, all, { date, discipline, ponyOnly }).some((each) => admitsAge(each, age)),
			),
		);
	return [...codes].filter(admits);
}

export function admitsAge({ minAge, maxAge }: AgeClassRecord, age: number): boolean {
	return (minAge ?? age) <= age && age <= (maxAge ?? age);
}

export function isValidOn(
	{ validFrom, validTo }: Pick<AgeClassRecord, 'validFrom' | 'validTo'>,
	date: string,
): boolean {
	return (validFrom ?? date) <= date && date <= (validTo ?? date);
}

function agesText({ minAge, maxAge }: AgeClassRecord): string {
	if (minAge !== null && maxAge !== null) return `${minAge} to ${maxAge}`;
	if (minAge !== null) return `${minAge} and older`;
	return maxAge === null ? 'any age' : `up to ${maxAge}`;
}

/** The rule about a competition that a finding violates, if its event is under the OeTO. */
function violated(
	code: string,
	{ id, date }: Pick<Rules, 'date'> & { readonly id?: string },
	{ ruleset }: Pick<EventRow, 'ruleset'>,
) {
	const rule = ruleset === 'OETO' ? ruleOf(code, date) : undefined;
	return { rule, ...(id === undefined ? {} : { subject: id }) };
}

/** Age by the rules (OeTO §53.2, §108.2, §200.6, §200.7, §608.1) and the announcement; in pony competitions a pony. */
export function checkHorseIn(
	competition: Rules & { readonly id?: string },
	horse: Competitors['horse'],
	event: Pick<EventRow, 'ruleset'>,
): readonly EntryCheck[] {
	const { ponyOnly } = competition;
	const { name, heightCm } = horse;
	const checks = [...checkHorseAge(competition, horse, event)];
	if (ponyOnly && !horse.isPony) {
		const height = heightCm === null ? '' : ` (${heightCm} cm)`;
		const text = `${title(competition)} is for ponies; ${name} is none${height}.`;
		checks.push(errorCheck('HORSE', 'NOT_A_PONY', text, violated('NOT_A_PONY', competition, event)));
	}
	return checks;
}

function checkHorseAge(
	competition: Rules & { readonly id?: string },
	{ name, birthYear }: Competitors['horse'],
	{ ruleset }: Pick<EventRow, 'ruleset'>,
): readonly EntryCheck[] {
	const { horseMinAge, horseMaxAge, date, id } = competition;
	const ages = ruleset === 'OETO' ? horseAgesOf(competition) : undefined;
	const least = Math.max(horseMinAge ?? 0, ages?.min ?? 0);
	const most = Math.min(horseMaxAge ?? Infinity, ages?.max ?? Infinity);
	const age = ageInYear(birthYear, date);
	if (least <= age && age <= most) return [];
	const code = age < least ? 'HORSE_TOO_YOUNG' : 'HORSE_TOO_OLD';
	const bound = age < least ? `${least} or older` : `${most} or younger`;
	const text = `${name} counts as ${age} years old in ${date.slice(0, 4)}; in ${title(competition)} horses must be ${bound}.`;
	const isRule = ages !== undefined && (age < ages.min || age > (ages.max ?? Infinity));
	const subject = id ?? 'entry';
	// The organiser may also pass the limits of the own announcement.
	const rule = isRule ? { rule: ages.rule, subject } : undefined;
	return [{ ...errorCheck('HORSE', code, text, rule), overridable: ruleset === 'OETO', subject }];
}

/** A horse starts once per competition, with another rider as often as the rules allow (OeTO §55.1.2). */
export function checkOnlyStart(
	competition: Omit<CompetitionFacts, 'ridersHorses'>,
	{ name }: Pick<HorseFacts, 'name'>,
	{ event, riderId }: { readonly event: Pair['event']; readonly riderId: string | undefined },
): readonly EntryCheck[] {
	const { horsesRiders } = competition;
	const most = event.ruleset === 'OETO' ? ridersPerHorse(competition, event.category) : 1;
	if (horsesRiders.length === 0) return [];
	if (horsesRiders.length < most && riderId !== undefined && !horsesRiders.includes(riderId)) return [];
	const text = `${name} is already entered in ${title(competition)}.`;
	const code = 'HORSE_TWICE_IN_COMPETITION';
	return [errorCheck('HORSE', code, text, violated(code, competition, event))];
}

function checkHorseCount(
	competition: CompetitionFacts,
	rider: RiderFacts,
	event: Pair['event'],
): readonly EntryCheck[] {
	const code = 'RIDER_TOO_MANY_HORSES';
	const rule = violated(code, competition, event);
	const most = rule.rule?.max ?? horsesPerRiderMax;
	if (competition.horsesRiders.length > 0 || competition.ridersHorses < most) return [];
	const text = `${rider.name} already rides ${competition.ridersHorses} horses in ${title(competition)}; ${most} are allowed.`;
	return [errorCheck('RIDER', code, text, rule)];
}

export function title({ number, name }: Pick<CompetitionRow, 'number' | 'name'>): string {
	return `${name} (no. ${number})`;
}
