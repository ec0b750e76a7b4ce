import { type ApiError, type FieldError, refuseInvalid } from '@paddock/contract';
import type { CallingRequest } from '@paddock/peers';
import type { CompetitionRow, EventRow } from '../database-schema.ts';
import { eventsError } from '../errors.ts';
import type { Directory } from '../peers/directory.ts';
import {
	allowedText,
	exceedsHighestOfDay,
	highestOfDay,
	violatedClassRule,
} from '../rules/classes-by-category.ts';
import {
	type CompetitionFinding,
	forbiddenOffer,
	type OfferedCompetition,
} from '../rules/competition-rules.ts';
import { horseAgesOf } from '../rules/horse-ages.ts';
import type { Rule, RuledCompetition } from '../rules/rule.ts';
import { type ClassifiedBody, classified } from './classify.ts';
import type { CompetitionBody } from './schemas.ts';
import type { CompetitionDraft } from './store.ts';

type Fitting = Pick<EventRow, 'startDate' | 'endDate' | 'disciplines' | 'ruleset' | 'category'>;

interface Surroundings {
	/** Further violations, to be reported along. */
	readonly errors?: readonly FieldError[];
	readonly stored?: CompetitionRow | undefined;
	/** The other competitions of the event, if they are known. */
	readonly others?: readonly CompetitionRow[];
}

/** Returns the competition as it is stored. @throws ApiError, see the routes; VALIDATION_ERROR with all violations. */
export function requireFitting(
	body: CompetitionBody,
	event: Fitting,
	{ errors = [], stored, others = [] }: Surroundings = {},
): ClassifiedBody {
	const { competition, errors: ofClass } = classified(body, event, stored);
	refuseInvalid([...errors, ...eventErrors(body, event), ...ofClass, ...offerErrors(body)]);
	if (body.kind === 'TEAM') throw eventsError('COMPETITION_NOT_SUPPORTED');
	if (stored === undefined || !hasClassOf(competition, stored)) requireClass(competition, event, others);
	requireHorseAge(competition, event);
	requireAllowedOffer(competition, event);
	return competition;
}

function eventErrors(body: CompetitionBody, event: Fitting): readonly FieldError[] {
	const errors: FieldError[] = [];
	if (body.date < event.startDate || body.date > event.endDate)
		errors.push({
			field: 'date',
			code: 'INVALID_RANGE',
			message: `must be a day of the event, ${event.startDate} to ${event.endDate}`,
		});
	if (!event.disciplines.includes(body.discipline))
		errors.push({
			field: 'discipline',
			code: 'INVALID_REFERENCE',
			message: `must be a discipline of the event: ${event.disciplines.join(', ')}`,
		});
	return errors;
}

function offerErrors({ prizes, divisions, dividedBy }: CompetitionBody): readonly FieldError[] {
	const errors: FieldError[] = [];
	const index = prizes.findIndex((prize, place) => prize > (prizes[place - 1] ?? prize));
	if (index !== -1)
		errors.push({
			field: `prizes[${index}]`,
			code: 'INVALID_RANGE',
			message: 'must not be more than the prize before it',
		});
	if (divisions > 1 !== dividedBy.length > 0)
		errors.push({
			field: 'dividedBy',
			code: 'INVALID_RANGE',
			message: 'must say by what it is divided if there are divisions, and nothing otherwise',
		});
	return errors;
}

/** @throws ApiError PRIZE_NOT_ALLOWED, START_FEE_TOO_HIGH (OeTO §22, §36.2) */
function requireAllowedOffer(competition: ClassifiedBody, event: Offering): void {
	const violated = offerViolation(competition, event);
	if (violated === undefined) return;
	const { rule, message } = violated;
	throw eventsError(rule.code as 'PRIZE_NOT_ALLOWED' | 'START_FEE_TOO_HIGH', {
		message: `${message} (OeTO §${rule.paragraph})`,
		context: { rule: oeto(rule.paragraph) },
	});
}

type Offering = Pick<EventRow, 'ruleset' | 'category'> & { readonly currency?: string };

/** The rule about prizes and fees that forbids a competition; undefined if there is none. */
export function offerViolation(
	competition: OfferedCompetition,
	{ ruleset, category, currency = 'EUR' }: Offering,
): CompetitionFinding | undefined {
	return ruleset === 'OETO' ? forbiddenOffer({ ...competition, currency }, category) : undefined;
}

const classFields = [
	'discipline',
	'kind',
	'level',
	'heightCm',
	'distanceKm',
	'task',
	'ponyOnly',
	'date',
] as const;

/** Whether the rules about classes find the same of both: what was stored before a rule stays as it is. */
function hasClassOf(competition: ClassifiedBody, stored: CompetitionRow): boolean {
	return classFields.every((field) => competition[field] === stored[field]);
}

/** @throws ApiError CLASS_NOT_IN_CATEGORY (OeTO §100, §200.5.6, §300) */
function requireClass(competition: ClassifiedBody, event: Fitting, others: readonly CompetitionRow[]): void {
	const violated = classViolation(competition, event, others);
	if (violated === undefined) return;
	if (violated === highestOfDay) throw tooManyOfDay(event);
	const { paragraph } = violated;
	const title = competition.heightCm === null ? competition.level : `${competition.heightCm} cm`;
	const message = `${event.category} does not offer ${title}, but ${allowedText(violated)} (OeTO §${paragraph}).`;
	throw eventsError('CLASS_NOT_IN_CATEGORY', { message, context: { rule: oeto(paragraph) } });
}

function tooManyOfDay({ category }: Pick<EventRow, 'category'>): ApiError {
	const { paragraph } = highestOfDay;
	const message = `An event of category ${category} offers one dressage competition of class S a day (OeTO §${paragraph}).`;
	return eventsError('CLASS_NOT_IN_CATEGORY', { message, context: { rule: oeto(paragraph) } });
}

/** For competitions that move at once; those that were too many on a day before may move together. @throws ApiError CLASS_NOT_IN_CATEGORY */
export function requireHighestOfDay(
	moved: readonly CompetitionRow[],
	before: readonly CompetitionRow[],
	event: Pick<EventRow, 'ruleset' | 'category'>,
): void {
	const known = idsBeyondHighest(before, event);
	if (idsBeyondHighest(moved, event).some((id) => !known.includes(id))) throw tooManyOfDay(event);
}

function idsBeyondHighest(
	competitions: readonly CompetitionRow[],
	{ ruleset, category }: Pick<EventRow, 'ruleset' | 'category'>,
): readonly string[] {
	if (ruleset !== 'OETO') return [];
	const open = competitions.filter(({ status }) => status === 'OPEN');
	const isBeyond = ({ id, ...one }: CompetitionRow) =>
		exceedsHighestOfDay(
			one,
			open.filter((other) => other.id !== id),
			category,
		);
	return open.filter(isBeyond).map(({ id }) => id);
}

/** The rule about the classes of a category that a competition violates; undefined if there is none. */
export function classViolation(
	competition: RuledCompetition,
	{ ruleset, category }: Pick<EventRow, 'ruleset' | 'category'>,
	others: readonly RuledCompetition[] = [],
): Rule | undefined {
	if (ruleset !== 'OETO') return undefined;
	if (exceedsHighestOfDay(competition, others, category)) return highestOfDay;
	return violatedClassRule(competition, category);
}

/** @throws ApiError HORSE_MIN_AGE_BELOW_RULES, HORSE_MAX_AGE_ABOVE_RULES */
function requireHorseAge(competition: ClassifiedBody, { ruleset }: Pick<EventRow, 'ruleset'>): void {
	const { horseMinAge, horseMaxAge } = competition;
	if (ruleset !== 'OETO') return;
	const { min: least, max: most, rule } = horseAgesOf(competition);
	const context = { rule: oeto(rule.paragraph) };
	if (horseMinAge !== null && horseMinAge < least)
		throw eventsError('HORSE_MIN_AGE_BELOW_RULES', {
			message: `Horses in this competition must be ${least} or older (OeTO §${rule.paragraph}).`,
			context: { ...context, horseMinAge, least },
		});
	if (horseMaxAge !== null && most !== null && horseMaxAge > most)
		throw eventsError('HORSE_MAX_AGE_ABOVE_RULES', {
			message: `Horses in this competition must be ${most} or younger (OeTO §${rule.paragraph}).`,
			context: { ...context, horseMaxAge, most },
		});
}

/** Whether the limits of age that a competition has are wider than those of the rules. */
export function exceedsAges(competition: CompetitionRow, ruleset: EventRow['ruleset']): boolean {
	if (ruleset !== 'OETO') return false;
	const { min, max } = horseAgesOf(competition);
	const { horseMinAge, horseMaxAge } = competition;
	return horseMinAge < min || (horseMaxAge !== null && max !== null && horseMaxAge > max);
}

const oeto = (paragraph: string) => ({ source: 'OETO', paragraph });

export function competitionDraft(competition: ClassifiedBody, arenaName: string | null): CompetitionDraft {
	return {
		...competition,
		arenaName,
		horseMinAge: competition.horseMinAge ?? usualMinAge(competition),
	};
}

/** The lowest age where none is named; that of a level of the FEI (CSI3*), which the OeTO does not know, as earlier versions had it. */
export function usualMinAge(competition: RuledCompetition): number {
	return /^C[A-Z]+\d\*$/.test(competition.level) ? 6 : horseAgesOf(competition).min;
}

const unknownArena: FieldError = {
	field: 'arenaId',
	code: 'INVALID_REFERENCE',
	message: 'is not the id of an arena of the venue that is in use',
};

/** References that the stored competition already has are not looked up again. @throws ApiError, errors of peer calls. */
export async function competitionReferences(
	directory: Directory,
	{ arenaId, ageClasses, discipline }: CompetitionBody,
	{ venueId, ruleset }: Pick<EventRow, 'venueId' | 'ruleset'>,
	stored: CompetitionRow | undefined,
	context: CallingRequest,
): Promise<{ readonly arenaName: string | null; readonly errors: readonly FieldError[] }> {
	const before = new Set(stored?.discipline === discipline ? stored.ageClasses : []);
	const isNew = (code: string) => !before.has(code);
	const hasNewArena = arenaId !== null && arenaId !== stored?.arenaId;
	const [arena, definitions] = await Promise.all([
		hasNewArena ? directory.arena(venueId, arenaId, context) : undefined,
		ageClasses.some(isNew) ? directory.ageClasses(ruleset, context) : [],
	]);
	const keptName = arenaId === null ? null : (stored?.arenaName ?? null);
	const classErrors = ageClasses.flatMap((code, index): FieldError[] => {
		const named = definitions.filter((definition) => definition.code === code);
		const isKnown = named.some((each) => each.discipline === null || each.discipline === discipline);
		if (isKnown || !isNew(code)) return [];
		const message =
			named.length === 0
				? `is not an age class of the ruleset ${ruleset}`
				: `is an age class of another discipline than ${discipline}`;
		return [{ field: `ageClasses[${index}]`, code: 'INVALID_REFERENCE', message }];
	});
	return {
		arenaName: hasNewArena ? (arena?.name ?? null) : keptName,
		errors: [...(hasNewArena && !arena?.isActive ? [unknownArena] : []), ...classErrors],
	};
}
