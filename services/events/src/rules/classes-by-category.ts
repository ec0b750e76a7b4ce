import { possibleHeights } from './levels.ts';
import { type Criteria, edition2026, inForce, meets, type Rule, type RuledCompetition } from './rule.ts';

/** One line of the tables of classes: paragraph, categories of the event, and the allowed levels or heights. */
function row(
	paragraph: string,
	criteria: Criteria,
	allowed: Pick<Rule, 'allowed' | 'min' | 'max'>,
	validFrom = edition2026,
): Rule {
	return {
		code: 'CLASS_NOT_IN_CATEGORY',
		paragraph,
		level: 'ERROR',
		validFrom,
		overridable: false,
		criteria,
		...allowed,
		text: 'Classes that an event of the category may offer.',
	};
}

const dressage = { discipline: 'DRESSAGE' } as const;
const jumping = { discipline: 'JUMPING' } as const;
const eventing = { discipline: 'EVENTING' } as const;

/** Classes by category (OeTO §100, §200.5.6, §300). Categories that a discipline's table lacks have no limits. */
export const classesByCategory: readonly Rule[] = [
	row('100', { ...dressage, categories: ['A*', 'A'] }, { allowed: ['L', 'LP', 'LM', 'M', 'S'] }),
	row('100', { ...dressage, categories: ['B*'] }, { allowed: ['A', 'L', 'LP', 'LM', 'M', 'S'] }),
	row('100', { ...dressage, categories: ['B'] }, { allowed: ['A', 'L', 'LP', 'LM', 'M'] }),
	row('100', { ...dressage, categories: ['C'] }, { allowed: ['A', 'L', 'LM'] }),
	row('100', { ...dressage, categories: ['C-NEU'] }, { allowed: ['A', 'L'] }),
	row('200.5.6', { ...jumping, categories: ['A*'] }, { min: 115, max: 160 }),
	row('200.5.6', { ...jumping, categories: ['A'] }, { min: 115, max: 145 }),
	row('200.5.6', { ...jumping, categories: ['B*'] }, { min: 60, max: 140 }),
	row('200.5.6', { ...jumping, categories: ['B'] }, { min: 60, max: 135 }),
	row('200.5.6', { ...jumping, categories: ['C'] }, { min: 60, max: 130 }),
	row('200.5.6', { ...jumping, categories: ['C-NEU'] }, { min: 60, max: 115 }),
	row('300', { ...eventing, categories: ['C'] }, { max: 100 }),
];

/** An event of category B* may offer this many dressage competitions of class S a day. */
export const highestOfDay: Rule = {
	...row('100', { ...dressage, levels: ['S'], categories: ['B*'] }, { max: 1 }),
	text: 'Dressage competitions of class S a day.',
};

/** Kinds that have no class of their own: of the tables of classes only the greatest height counts. */
const unclassed = ['RIDING_HORSE', 'SUITABILITY', 'INTRODUCTORY', 'LICENCE_FREE'];

/** The letters of a national category of horses: `B*` of CSN-B*. Undefined for ponies and international events. */
export function categoryLetters(category: string): string | undefined {
	return /^C[A-Z]N-(.+)$/.exec(category)?.[1];
}

/** The rule that a competition violates at an event of this category; undefined if it may be offered. */
export function violatedClassRule(
	competition: RuledCompetition,
	category: string,
	table: readonly Rule[] = classesByCategory,
): Rule | undefined {
	const letters = categoryLetters(category);
	if (letters === undefined || competition.ponyOnly) return undefined;
	const isUnclassed = unclassed.includes(competition.kind);
	const rows = inForce(table, competition.date).filter(({ criteria }) =>
		meets(criteria, competition, { heightCm: competition.heightCm, category: letters }),
	);
	return rows.find((rule) => (isUnclassed ? exceeds(competition, rule) : !isAllowed(competition, rule)));
}

/** Einlauf and licence-free tests may be lower than the classes of the category, but not higher. */
function exceeds(competition: RuledCompetition, { max = Infinity }: Rule): boolean {
	return possibleHeights(competition).every((cm) => cm !== null && cm > max);
}

function isAllowed(competition: RuledCompetition, { allowed, min = 0, max = Infinity }: Rule): boolean {
	if (allowed !== undefined) return allowed.includes(competition.level);
	return possibleHeights(competition).some((cm) => cm === null || (min <= cm && cm <= max));
}

/** Whether the competition is one too many of class S on its day. `others`: those of the event on any day. */
export function exceedsHighestOfDay(
	competition: RuledCompetition,
	others: readonly RuledCompetition[],
	category: string,
): boolean {
	const counts = (one: RuledCompetition) =>
		one.date === competition.date &&
		!unclassed.includes(one.kind) &&
		meets(highestOfDay.criteria, one, { heightCm: one.heightCm, category: categoryLetters(category) });
	return counts(competition) && others.filter(counts).length >= (highestOfDay.max ?? 1);
}

export function allowedText({ allowed, min, max }: Rule): string {
	if (allowed !== undefined) return allowed.join(', ');
	return min === undefined ? `up to ${max} cm` : `${min} to ${max} cm`;
}
