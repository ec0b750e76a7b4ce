import { describe, expect, test } from '@jest/globals';
import { dayAfter } from '@paddock/calendar';
import { checkCompetition } from '../entries/check-competition.ts';
import { areBoxesRefunded } from '../entries/ledger.ts';
import { rulesOn, tooSmallGaps } from './catalogue.ts';
import { exceedsHighestOfDay, highestOfDay } from './classes-by-category.ts';
import { competitionRules, judgeCompetition, type OfferedCompetition } from './competition-rules.ts';
import { entryRules, judgeByRules, ridersPerHorse } from './entry-rules.ts';
import { eventRules, judgeEvent, type RuledEvent } from './event-rules.ts';
import type { Criteria, Range, Rule } from './rule.ts';
import type { RuledEntry, RuledStart } from './ruled-entry.ts';

const day = '2026-06-12';

/** A competition that meets the criteria of a row, and no narrower ones. */
function competitionOf({ criteria }: Rule): OfferedCompetition & RuledStart {
	return {
		id: 'c1',
		number: 1,
		name: 'Prüfung',
		title: 'Prüfung (no. 1)',
		discipline: criteria.discipline ?? 'JUMPING',
		kind: criteria.kinds?.[0] ?? 'SUITABILITY',
		level: criteria.levels?.[0] ?? 'LM',
		heightCm: criteria.heightCm?.[1] ?? null,
		distanceKm: null,
		task: criteria.tasks?.[0] ?? null,
		ponyOnly: criteria.ponyOnly ?? false,
		date: day,
		championship: null,
		startFee: 0,
		prizes: [],
		divisions: 1,
		dividedBy: ['LICENCE', 'HORSE_AGE', 'RIDER_AGE'],
		ageClasses: [],
	};
}

const letters: Readonly<Partial<Record<string, string>>> = { DRESSAGE: 'D', EVENTING: 'C' };
const categoryOf = ({ criteria: { discipline = 'JUMPING', categories = ['B'] } }: Rule) =>
	`C${letters[discipline] ?? 'S'}N-${categories[0]}`;

/** Starts on one day, and whether the row is violated by them. */
function startsViolate(
	rule: Rule,
	starts: readonly RuledStart[],
	changes: Partial<RuledEntry> = {},
): boolean {
	const entry: RuledEntry = {
		event: { category: categoryOf(rule), officials: [] },
		rider: { id: 'rider', name: 'Eva', birthYear: 1992, nationality: 'AT' },
		horse: { name: 'Wichtel', headNumber: 'D001', feePaidForYear: 2026 },
		isLate: false,
		starts,
		others: [],
		elsewhere: [],
		championships: [],
		...changes,
	};
	return judgeByRules(entry).some(({ rule: found }) => found === rule);
}

const many = (count: number, start: RuledStart) =>
	Array.from({ length: count }, (_, index) => ({ ...start, id: `c${index}` }));

const event: RuledEvent = {
	category: 'CSN-B',
	startDate: day,
	entryDeadline: null,
	venueTimeZone: 'Europe/Vienna',
	entryFee: 0,
	lateSurcharge: 0,
	stableFee: 0,
	swapFee: 0,
	currency: 'EUR',
};
const feeViolates = (field: keyof RuledEvent) => (rule: Rule, cents: number) =>
	judgeEvent({ ...event, category: categoryOf(rule), [field]: cents }, []).some(
		({ rule: found }) => found === rule,
	);
const offerViolates = (rule: Rule, changes: Partial<OfferedCompetition>) =>
	judgeCompetition({ ...competitionOf(rule), ...changes }, categoryOf(rule)).some(
		({ rule: { code } }) => code === rule.code,
	);

const horse = {
	name: 'Wichtel',
	birthYear: 2016,
	isPony: false,
	heightCm: 165,
	headNumber: 'D1',
	status: 'ACTIVE',
};
const rider = {
	id: 'rider',
	name: 'Eva',
	birthYear: 1992,
	homeClubId: 'club',
	status: 'ACTIVE',
	nationality: 'AT',
};

/** By code, or code and paragraph: whether a value violates the row. */
const measures: Readonly<Record<string, (rule: Rule, value: number) => boolean>> = {
	HORSE_LAPSED: (rule, years) =>
		startsViolate(rule, [competitionOf(rule)], {
			horse: { name: 'Wichtel', headNumber: 'D001', feePaidForYear: 2026 - years },
		}),
	// Up to this age a rider belongs to the youth, who may not start.
	YOUTH_NOT_ALLOWED: (rule, age) =>
		!startsViolate(rule, [competitionOf(rule)], {
			rider: { id: 'rider', name: 'Ivo', birthYear: 2026 - age, nationality: 'AT' },
		}),
	RIDER_TOO_MANY_HORSES: (rule, horses) =>
		checkCompetition(
			{
				...competitionOf(rule),
				horseMinAge: 4,
				horseMaxAge: null,
				status: 'OPEN',
				horsesRiders: [],
				ridersHorses: horses - 1,
			},
			{
				event: { startDate: day, ruleset: 'OETO', category: 'CSN-B' },
				rider: { ...rider, feePaidForYear: 2026 },
				horse: { ...horse, feePaidForYear: 2026 },
				ageClasses: [],
				today: day,
			},
		).some(({ code }) => code === rule.code),
	'HORSE_TOO_MANY_STARTS 55.1.1': (rule, count) => startsViolate(rule, many(count, competitionOf(rule))),
	'HORSE_TOO_MANY_STARTS 55.1.3': (rule, count) =>
		startsViolate(rule, many(count, { ...competitionOf(rule), discipline: 'EVENTING', level: 'V90' })),
	'HORSE_TOO_MANY_STARTS 108.2.2': (rule, count) =>
		startsViolate(rule, many(count, { ...competitionOf(rule), discipline: 'DRESSAGE', level: 'M' })),
	HORSE_TWICE_IN_COMPETITION: (rule, riders) =>
		riders > ridersPerHorse(competitionOf(rule), categoryOf(rule)),
	'NO_REFUND 23.4': (_rule, days) =>
		!areBoxesRefunded(
			{ startDate: day, venueTimeZone: 'Europe/Vienna' },
			new Date(`${dayAfter(day, -days)}T21:59:00Z`),
		),
	ENTRY_FEE_OUT_OF_BOUNDS: feeViolates('entryFee'),
	LATE_SURCHARGE_OUT_OF_BOUNDS: feeViolates('lateSurcharge'),
	BOX_FEE_OUT_OF_BOUNDS: feeViolates('stableFee'),
	SWAP_FEE_OUT_OF_BOUNDS: feeViolates('swapFee'),
	START_FEE_TOO_HIGH: (rule, startFee) => offerViolates(rule, { startFee }),
	'DIVISION_REQUIRED 39.3': (rule, starters) =>
		offerViolates(rule, { starters, divisions: 2, dividedBy: ['RIDER_AGE'] }),
	DIVISION_REQUIRED: (rule, starters) => offerViolates(rule, { starters }),
	TOO_FEW_STARTERS: (rule, starters) => offerViolates(rule, { starters, isClosed: true }),
	CLASS_NOT_IN_CATEGORY: (rule, count) => {
		const one = { ...competitionOf(rule), kind: 'STANDARD' } as const;
		return exceedsHighestOfDay(
			one,
			Array.from({ length: count - 1 }, () => one),
			categoryOf(rule),
		);
	},
	START_GAP_TOO_SMALL: (rule, horses) => {
		const others = Array.from({ length: 40 }, (_, index) => `other ${index}`);
		return (
			tooSmallGaps(['rider', ...others.slice(0, horses), 'rider', ...others.slice(horses)], rule).length > 0
		);
	},
};

// The tables of ages and of classes have the same test beside them.
const order = rulesOn(day).filter(({ topic }) => topic === 'START_ORDER');
const rows: readonly Rule[] = [...entryRules, ...eventRules, ...competitionRules, highestOfDay, ...order];
const bounded = rows.filter(({ min, max }) => min !== undefined || max !== undefined);

describe('every row with a bound is obeyed at it and violated beyond it', () => {
	test.each(
		bounded.map((rule): readonly [string, Rule] => [
			`§${rule.paragraph} ${rule.code} ${JSON.stringify(rule.criteria)}`,
			rule,
		]),
	)('%s', (_name, rule) => {
		const measure = measures[`${rule.code} ${rule.paragraph}`] ?? measures[rule.code];
		if (measure === undefined) throw new TypeError(`no measure for ${rule.code}`);
		const { min, max } = rule;
		if (max !== undefined) expect([measure(rule, max), measure(rule, max + 1)]).toEqual([false, true]);
		if (min !== undefined) expect([measure(rule, min), measure(rule, min - 1)]).toEqual([false, true]);
	});
});

const range = (of: Range | undefined, unit: string) =>
	of === undefined ? [] : [`${of[0]}–${of[1]} ${unit}`];

function wheres({ discipline, ponyOnly, kinds, levels, tasks, heightCm, distanceKm, categories }: Criteria) {
	const riders = ponyOnly === undefined ? undefined : ponyOnly ? 'ponies' : 'horses';
	const tests = tasks === undefined ? undefined : `${tasks[0]}…`;
	const all = [
		discipline,
		riders,
		kinds,
		levels,
		tests,
		...range(heightCm, 'cm'),
		...range(distanceKm, 'km'),
		categories,
	];
	return all.filter((part) => part !== undefined).map(String);
}

/** A row as it is printed in the OeTO: bounds, and where they apply. */
function printed({ paragraph, code, level, overridable, min, max, allowed, criteria }: Rule): string {
	const bounds = [
		...(min === undefined ? [] : [`≥ ${min}`]),
		...(max === undefined ? [] : [`≤ ${max}`]),
		...(allowed === undefined ? [] : [allowed.join(', ')]),
	];
	const where = wheres(criteria).join(' · ') || 'all';
	return `§${paragraph} ${code} ${level}${overridable ? ', override' : ''}: ${bounds.join(' ') || '–'} · ${where}`;
}

// The tests above read the bounds from the rows; these are those of the text. A row of 2026 does not change: a later
// edition is another row with its own `validFrom`.
test('the bounds of 2026 are those of the OeTO 2026', () => {
	const isBounded = ({ min, max, allowed }: Rule) => (min ?? max ?? allowed) !== undefined;
	expect(rulesOn(day).filter(isBounded).map(printed)).toEqual([
		'§10.5 HORSE_LAPSED ERROR, override: ≤ 3 · all',
		'§55.1.2 HORSE_TWICE_IN_COMPETITION ERROR: ≤ 1 · all',
		'§55.1.2 HORSE_TWICE_IN_COMPETITION ERROR: ≤ 3 · LICENCE_FREE',
		'§55.1.2 HORSE_TWICE_IN_COMPETITION ERROR: ≤ 2 · DRESSAGE · R1… · C-NEU',
		'§55.1.2 HORSE_TWICE_IN_COMPETITION ERROR: ≤ 2 · JUMPING · 0–95 cm · C-NEU',
		'§54.1.6 YOUTH_NOT_ALLOWED ERROR, override: ≤ 15 · POWER_AND_SKILL',
		'§54.1.7 RIDER_TOO_MANY_HORSES ERROR, override: ≤ 3 · all',
		'§55.1.1 HORSE_TOO_MANY_STARTS ERROR, override: ≤ 3 · all',
		'§55.1.3 HORSE_TOO_MANY_STARTS ERROR, override: ≤ 2 · all',
		'§108.2.2 HORSE_TOO_MANY_STARTS ERROR, override: ≤ 2 · all',
		'§23.4 NO_REFUND WARNING, override: ≥ 10 · all',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 4 · all',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 5 · L',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 6 · LP,LM,M,M*,M**,M***,S,S*,S**,S***',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 4 · EVENTING · 0–100 cm',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 5 · EVENTING · 101–105 cm',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 6 · EVENTING · 106–999 cm',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 5 · EVENTING · ponies · 86–90 cm',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 6 · EVENTING · ponies · 91–999 cm',
		'§108.2.2 HORSE_TOO_YOUNG ERROR, override: ≥ 6 · DRESSAGE · LP',
		'§108.2.3 HORSE_TOO_YOUNG ERROR, override: ≥ 7 · DRESSAGE · S',
		'§108.2.3 HORSE_TOO_YOUNG ERROR, override: ≥ 8 · DRESSAGE · INTERMEDIATE A…',
		'§108.2.3 HORSE_TOO_YOUNG ERROR, override: ≥ 8 · DRESSAGE · S · INTERMEDIATE A…',
		'§200.7 HORSE_TOO_YOUNG ERROR, override: ≥ 5 · JUMPING · 0–79 cm',
		'§200.7 HORSE_TOO_YOUNG ERROR, override: ≥ 4 · JUMPING · 80–110 cm',
		'§200.7 HORSE_TOO_YOUNG ERROR, override: ≥ 5 · JUMPING · 111–130 cm',
		'§53.2 HORSE_TOO_YOUNG ERROR, override: ≥ 6 · JUMPING · 131–999 cm',
		'§100.5 HORSE_TOO_OLD ERROR, override: ≥ 4 ≤ 6 · DRESSAGE · YOUNG_HORSE · A',
		'§100.5 HORSE_TOO_OLD ERROR, override: ≥ 5 ≤ 6 · DRESSAGE · YOUNG_HORSE · L',
		'§100.5 HORSE_TOO_OLD ERROR, override: ≥ 6 ≤ 7 · DRESSAGE · YOUNG_HORSE · LP,LM,M',
		'§100.5 HORSE_TOO_OLD ERROR, override: ≥ 7 ≤ 8 · DRESSAGE · YOUNG_HORSE · S',
		'§200.6 HORSE_TOO_OLD ERROR, override: ≥ 4 ≤ 6 · JUMPING · YOUNG_HORSE · 95–110 cm',
		'§200.6 HORSE_TOO_OLD ERROR, override: ≥ 5 ≤ 6 · JUMPING · YOUNG_HORSE · 111–130 cm',
		'§200.6 HORSE_TOO_OLD ERROR, override: ≥ 6 ≤ 7 · JUMPING · YOUNG_HORSE · 131–135 cm',
		'§608.1 HORSE_TOO_YOUNG ERROR, override: ≥ 4 · ENDURANCE',
		'§608.1 HORSE_TOO_YOUNG ERROR, override: ≥ 4 · ENDURANCE · 0–49 km',
		'§608.1 HORSE_TOO_YOUNG ERROR, override: ≥ 5 · ENDURANCE · 50–99 km',
		'§608.1 HORSE_TOO_YOUNG ERROR, override: ≥ 6 · ENDURANCE · 100–119 km',
		'§608.1 HORSE_TOO_YOUNG ERROR, override: ≥ 7 · ENDURANCE · 120–139 km',
		'§608.1 HORSE_TOO_YOUNG ERROR, override: ≥ 8 · ENDURANCE · 140–999 km',
		'§1102 HORSE_TOO_OLD ERROR, override: ≥ 3 ≤ 5 · RIDING_HORSE',
		'§1103 HORSE_TOO_OLD ERROR, override: ≥ 4 ≤ 6 · SUITABILITY',
		'§100 CLASS_NOT_IN_CATEGORY ERROR: L, LP, LM, M, S · DRESSAGE · A*,A',
		'§100 CLASS_NOT_IN_CATEGORY ERROR: A, L, LP, LM, M, S · DRESSAGE · B*',
		'§100 CLASS_NOT_IN_CATEGORY ERROR: A, L, LP, LM, M · DRESSAGE · B',
		'§100 CLASS_NOT_IN_CATEGORY ERROR: A, L, LM · DRESSAGE · C',
		'§100 CLASS_NOT_IN_CATEGORY ERROR: A, L · DRESSAGE · C-NEU',
		'§200.5.6 CLASS_NOT_IN_CATEGORY ERROR: ≥ 115 ≤ 160 · JUMPING · A*',
		'§200.5.6 CLASS_NOT_IN_CATEGORY ERROR: ≥ 115 ≤ 145 · JUMPING · A',
		'§200.5.6 CLASS_NOT_IN_CATEGORY ERROR: ≥ 60 ≤ 140 · JUMPING · B*',
		'§200.5.6 CLASS_NOT_IN_CATEGORY ERROR: ≥ 60 ≤ 135 · JUMPING · B',
		'§200.5.6 CLASS_NOT_IN_CATEGORY ERROR: ≥ 60 ≤ 130 · JUMPING · C',
		'§200.5.6 CLASS_NOT_IN_CATEGORY ERROR: ≥ 60 ≤ 115 · JUMPING · C-NEU',
		'§300 CLASS_NOT_IN_CATEGORY ERROR: ≤ 100 · EVENTING · C',
		'§100 CLASS_NOT_IN_CATEGORY ERROR: ≤ 1 · DRESSAGE · S · B*',
		'§E ENTRY_FEE_OUT_OF_BOUNDS WARNING: ≥ 1600 ≤ 3000 · C,C-NEU',
		'§E ENTRY_FEE_OUT_OF_BOUNDS WARNING: ≥ 1600 ≤ 3500 · B*,B',
		'§E ENTRY_FEE_OUT_OF_BOUNDS WARNING: ≥ 1600 ≤ 5000 · A*,A',
		'§E ENTRY_FEE_OUT_OF_BOUNDS WARNING: ≥ 1600 ≤ 5000 · EVENTING',
		'§29.6 LATE_SURCHARGE_OUT_OF_BOUNDS WARNING: ≤ 2500 · all',
		'§E BOX_FEE_OUT_OF_BOUNDS WARNING: ≤ 13000 · all',
		'§E SWAP_FEE_OUT_OF_BOUNDS WARNING: ≤ 1500 · all',
		'§E START_FEE_TOO_HIGH WARNING: ≤ 2000 · all',
		'§109 START_FEE_TOO_HIGH WARNING: ≤ 1500 · DRESSAGE · C-NEU',
		'§231 START_FEE_TOO_HIGH WARNING: ≤ 1500 · JUMPING · C-NEU',
		'§900.3 DIVISION_REQUIRED ERROR: RIDER_AGE · ponies',
		'§39.1 DIVISION_REQUIRED WARNING: LICENCE · DRESSAGE · horses · STANDARD,STYLE · A,L,LP',
		'§39.1 DIVISION_REQUIRED WARNING: LICENCE · JUMPING · horses · STANDARD,STYLE · A,L',
		'§231 DIVISION_REQUIRED WARNING: LICENCE · JUMPING · horses · STANDARD,STYLE · C-NEU',
		'§100.5 DIVISION_REQUIRED WARNING: HORSE_AGE · DRESSAGE · YOUNG_HORSE · A',
		'§200.6 DIVISION_REQUIRED WARNING: HORSE_AGE · JUMPING · YOUNG_HORSE · 95–110 cm',
		'§39.2 DIVISION_REQUIRED WARNING: ≤ 30 · JUMPING · STYLE,YOUNG_HORSE',
		'§39.3 DIVISION_REQUIRED WARNING: ≤ 30 LICENCE, PLACES · JUMPING · STYLE,YOUNG_HORSE',
		'§39.2 DIVISION_REQUIRED WARNING: ≤ 40 · EVENTING',
		'§39.3 DIVISION_REQUIRED WARNING: ≤ 40 LICENCE, PLACES · EVENTING',
		'§39.2 DIVISION_REQUIRED WARNING: ≤ 80 · JUMPING · STANDARD,INTRODUCTORY,LICENCE_FREE,POWER_AND_SKILL',
		'§39.3 DIVISION_REQUIRED WARNING: ≤ 80 LICENCE, PLACES · JUMPING · STANDARD,INTRODUCTORY,LICENCE_FREE,POWER_AND_SKILL',
		'§25.2 TOO_FEW_STARTERS WARNING: ≥ 3 · all',
		'§38.2 START_GAP_TOO_SMALL WARNING: ≥ 6 · all',
	]);
});
