import { categoryLetters } from './classes-by-category.ts';
import {
	amountText,
	type Criteria,
	edition2026,
	inForce,
	meets,
	type Rule,
	type RuledCompetition,
} from './rule.ts';

/** By what a competition is divided (OeTO §39). */
export const divisionCriteria = ['LICENCE', 'RIDER_AGE', 'HORSE_AGE', 'PLACES'] as const;

export type DivisionCriterion = (typeof divisionCriteria)[number];

export interface OfferedCompetition extends RuledCompetition {
	readonly id?: string;
	readonly number: number;
	readonly name: string;
	/** Minor units of the currency. */
	readonly startFee: number;
	/** By place, from the first. */
	readonly prizes: readonly number[];
	readonly currency?: string;
	readonly divisions: number;
	readonly dividedBy: readonly DivisionCriterion[];
	readonly ageClasses: readonly string[];
	/** Name of the championship or cup; null if it is none. */
	readonly championship?: string | null;
	/** Starts with a place; undefined before entries open. */
	readonly starters?: number;
	/** Whether no entry is accepted any more. */
	readonly isClosed?: boolean;
}

/** A rule about the announcement of a competition, with the function that finds its violation. */
export interface CompetitionRule extends Rule {
	readonly judge: (competition: OfferedCompetition, rule: Rule) => string | undefined;
}

type Row = Pick<CompetitionRule, 'text' | 'judge'> & Partial<CompetitionRule>;

function row(code: string, paragraph: string, rule: Row): CompetitionRule {
	const own = { code, paragraph, level: 'WARNING', validFrom: edition2026, overridable: false } as const;
	return { ...own, criteria: {}, ...rule };
}

const title = ({ name, number }: OfferedCompetition) => `${name} (no. ${number})`;
const costs = (one: OfferedCompetition) => `${title(one)} costs ${amountText(one.startFee, one.currency)}`;

function noPrizes(paragraph: string, criteria: Criteria): CompetitionRule {
	return row('PRIZE_NOT_ALLOWED', paragraph, {
		level: 'ERROR',
		criteria,
		text: 'No prize money in class E, in licence-free tests and at C-NEU.',
		judge: (one) => (one.prizes.length > 0 ? `${title(one)} has no prize money.` : undefined),
	});
}

function feeWithoutPrizes(paragraph: string, max: number, criteria: Criteria): CompetitionRule {
	return row('START_FEE_TOO_HIGH', paragraph, {
		criteria,
		max,
		text: 'Start fee in cents of a competition without prizes.',
		judge: (one, rule) =>
			isInEuros(one) && one.prizes.length === 0 && one.startFee > (rule.max ?? Infinity)
				? `${costs(one)}; without prizes at most ${amountText(rule.max)}.`
				: undefined,
	});
}

const isInEuros = ({ currency = 'EUR' }: OfferedCompetition) => currency === 'EUR';

function division(paragraph: string, by: DivisionCriterion, criteria: Criteria): CompetitionRule {
	return row('DIVISION_REQUIRED', paragraph, {
		criteria,
		allowed: [by],
		text: divisionTexts[by],
		judge: (one) =>
			one.dividedBy.includes(by) ? undefined : `${title(one)} is to be divided: ${divisionTexts[by]}`,
	});
}

const divisionTexts: Readonly<Record<DivisionCriterion, string>> = {
	LICENCE: 'Riders of different licences have divisions of their own.',
	HORSE_AGE: 'Four-year-old horses have a division of their own, and those of five and six years.',
	RIDER_AGE: 'Pony riders up to 16 years and older ones have divisions of their own.',
	PLACES: 'Divisions by places.',
};

/**
 * Beyond the largest number a competition is divided, and its divisions are again beyond that of all others; by licence,
 * otherwise by places. Championships and cups are not (§39.4).
 */
function size(max: number, criteria: Criteria): readonly CompetitionRule[] {
	const number = row('DIVISION_REQUIRED', '39.2', {
		criteria,
		max,
		text: 'Starters of a competition; with more it is divided, and a division of more than 80 again. Not for championships and cups (§39.4).',
		judge: (one, rule) => {
			const { starters = 0 } = one;
			const most = one.divisions === 1 ? (rule.max ?? Infinity) : largestDivision * one.divisions;
			if (isCup(one) || starters <= most) return undefined;
			return `${title(one)} has ${starters} starters in ${divisionsText(one)}.`;
		},
	});
	const criterion = row('DIVISION_REQUIRED', '39.3', {
		criteria,
		max,
		allowed: ['LICENCE', 'PLACES'],
		text: 'Starters beyond which the divisions are by licence, otherwise by places.',
		judge: (one, rule) => {
			const isBySize = one.divisions > 1 && (one.starters ?? 0) > (rule.max ?? Infinity) && !isCup(one);
			if (!isBySize || one.dividedBy.includes('LICENCE') || one.dividedBy.includes('PLACES'))
				return undefined;
			return `${title(one)} has ${one.starters} starters and is to be divided by licence, otherwise by places.`;
		},
	});
	return [number, criterion];
}

const isCup = ({ championship }: OfferedCompetition) => championship !== undefined && championship !== null;

const largestDivision = 80;
const divisionsText = ({ divisions }: OfferedCompetition) =>
	divisions === 1 ? 'one division' : `${divisions} divisions`;

const jumping = { discipline: 'JUMPING' } as const;
const dressage = { discipline: 'DRESSAGE' } as const;
const ordinary = { kinds: ['STANDARD', 'STYLE'], ponyOnly: false } as const;

/** Classes in which both age groups of pony riders start. */
function isForAllPonyRiders({ ageClasses }: OfferedCompetition): boolean {
	return ageClasses.length === 0 || (ageClasses.includes('GENERAL') && ageClasses.length > 1);
}

/** Rules about announced competitions: prizes and start fees (OeTO §22, §36), divisions (§39, §900.3), withdrawal (§25.2). */
export const competitionRules: readonly CompetitionRule[] = [
	noPrizes('22.2', { levels: ['E', 'E0'] }),
	noPrizes('22.2', { kinds: ['LICENCE_FREE'] }),
	noPrizes('109', { ...dressage, categories: ['C-NEU'] }),
	noPrizes('231', { ...jumping, categories: ['C-NEU'] }),
	row('START_FEE_TOO_HIGH', '36.2', {
		level: 'ERROR',
		text: 'The start fee is at most half of the last prize (§22.4).',
		judge: (one) => {
			const last = one.prizes.at(-1);
			if (last === undefined || one.startFee * 2 <= last) return undefined;
			return `${costs(one)}, more than half of the last prize, ${amountText(last, one.currency)}.`;
		},
	}),
	feeWithoutPrizes('E', 2_000, {}),
	feeWithoutPrizes('109', 1_500, { ...dressage, categories: ['C-NEU'] }),
	feeWithoutPrizes('231', 1_500, { ...jumping, categories: ['C-NEU'] }),
	{
		...division('900.3', 'RIDER_AGE', { ponyOnly: true }),
		level: 'ERROR',
		judge: (one) =>
			isForAllPonyRiders(one) && !one.dividedBy.includes('RIDER_AGE')
				? `${title(one)} is to be divided: ${divisionTexts.RIDER_AGE}`
				: undefined,
	},
	division('39.1', 'LICENCE', { ...dressage, ...ordinary, levels: ['A', 'L', 'LP'] }),
	division('39.1', 'LICENCE', { ...jumping, ...ordinary, levels: ['A', 'L'] }),
	division('231', 'LICENCE', { ...jumping, ...ordinary, categories: ['C-NEU'] }),
	division('100.5', 'HORSE_AGE', { ...dressage, kinds: ['YOUNG_HORSE'], levels: ['A'] }),
	division('200.6', 'HORSE_AGE', { ...jumping, kinds: ['YOUNG_HORSE'], heightCm: [95, 110] }),
	...size(30, { ...jumping, kinds: ['STYLE', 'YOUNG_HORSE'] }),
	...size(40, { discipline: 'EVENTING' }),
	...size(80, { ...jumping, kinds: ['STANDARD', 'INTRODUCTORY', 'LICENCE_FREE', 'POWER_AND_SKILL'] }),
	row('TOO_FEW_STARTERS', '25.2', {
		min: 3,
		text: 'Starters at the entry deadline, below which a competition may be withdrawn.',
		judge: (one, { min = 0 }) =>
			one.isClosed === true && (one.starters ?? 0) < min
				? `${title(one)} has ${one.starters ?? 0} starters and may be withdrawn.`
				: undefined,
	}),
];

export interface CompetitionFinding {
	readonly rule: Rule;
	readonly message: string;
	readonly competitionId?: string;
}

/** The violations of an announced competition; each kind once, by the row with the most criteria. */
export function judgeCompetition(
	competition: OfferedCompetition,
	eventCategory: string,
	table: readonly CompetitionRule[] = competitionRules,
): readonly CompetitionFinding[] {
	const { heightCm, date, id } = competition;
	const category = categoryLetters(eventCategory);
	const rows = inForce(table, date).filter(({ criteria }) =>
		meets(criteria, competition, { heightCm, category }),
	);
	const weight = ({ criteria }: Rule) => Object.keys(criteria).length;
	const found = new Map<string, CompetitionFinding>();
	for (const rule of rows.toSorted((a, b) => weight(b) - weight(a))) {
		const message = rule.judge(competition, rule);
		const kind = `${rule.code} ${rule.allowed?.join() ?? ''}`;
		if (message === undefined || found.has(kind)) continue;
		found.set(kind, { rule, message, ...(id === undefined ? {} : { competitionId: id }) });
	}
	return [...found.values()];
}

/** The rule that forbids an announcement; undefined if it may be stored. Divisions can be added until the publication. */
export function forbiddenOffer(
	competition: OfferedCompetition,
	eventCategory: string,
): CompetitionFinding | undefined {
	return judgeCompetition(competition, eventCategory).find(
		({ rule: { level, code } }) => level === 'ERROR' && code !== 'DIVISION_REQUIRED',
	);
}
