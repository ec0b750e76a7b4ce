import { describe, expect, test } from '@jest/globals';
import { dayAfter } from '@paddock/calendar';
import { checkCompetition } from '../entries/check-competition.ts';
import { areBoxesRefunded } from '../entries/ledger.ts';
import { rulesOn, tooSmallGaps } from './catalogue.ts';
import { exceedsHighestOfDay, highestOfDay } from './classes-by-category.ts';
import { competitionRules, judgeCompetition, type OfferedCompetition } from './competition-rules.ts';
import { entryRules, judgeByRules, ridersPerHorse } from './entry-rules.ts';
import { eventRules, judgeEvent, type RuledEvent } from './event-rules.ts';
import type { Rule } from './rule.ts';
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
