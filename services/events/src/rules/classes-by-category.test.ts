import { describe, expect, test } from '@jest/globals';
import {
	allowedText,
	classesByCategory,
	exceedsHighestOfDay,
	violatedClassRule,
} from './classes-by-category.ts';
import { levelOfHeight, levels } from './levels.ts';
import type { Rule, RuledCompetition } from './rule.ts';

const standard: RuledCompetition = {
	discipline: 'DRESSAGE',
	kind: 'STANDARD',
	level: 'S',
	heightCm: null,
	distanceKm: null,
	task: null,
	ponyOnly: false,
	date: '2026-06-12',
};
const letter = { DRESSAGE: 'D', JUMPING: 'S', EVENTING: 'C' } as const;
const named = classesByCategory.flatMap((rule) =>
	(rule.criteria.categories ?? []).map((category): readonly [string, Rule, string, RuledCompetition] => {
		const discipline = rule.criteria.discipline as keyof typeof letter;
		const name = `C${letter[discipline]}N-${category}`;
		return [`${name}: ${allowedText(rule)}`, rule, name, { ...standard, discipline }];
	}),
);

describe('every row, at and beyond its bounds', () => {
	test.each(named)('%s', (_name, { allowed, min, max }, category, competition) => {
		const isOffered = (changes: Partial<RuledCompetition>) =>
			violatedClassRule({ ...competition, ...changes }, category) === undefined;
		if (allowed !== undefined)
			for (const level of levels.DRESSAGE)
				expect([level, isOffered({ level })]).toEqual([level, allowed.includes(level)]);
		const heights = [min, max].flatMap((bound) => (bound === undefined ? [] : [bound]));
		for (const heightCm of heights)
			expect([heightCm, isOffered({ heightCm, level: '' })]).toEqual([heightCm, true]);
		if (min !== undefined) expect(isOffered({ heightCm: min - 5, level: '' })).toBe(false);
		if (max !== undefined) expect(isOffered({ heightCm: max + 5, level: '' })).toBe(false);
	});
});

test.each([
	['CSN-C', 'JUMPING', 160, false],
	['CSN-C', 'JUMPING', 130, true],
	['CSN-A*', 'JUMPING', 160, true],
	['CSI3*', 'JUMPING', 160, true],
	['CCN-C', 'EVENTING', 105, false],
	['CCN-B', 'EVENTING', 105, true],
	['CSNP-C', 'JUMPING', 135, true],
] as const)('%s %s %i cm: %p', (category, discipline, heightCm, isOffered) => {
	const level = levelOfHeight({ discipline, ponyOnly: false }, heightCm) ?? '';
	const competition = { ...standard, discipline, heightCm, level };
	expect(violatedClassRule(competition, category) === undefined).toBe(isOffered);
});

test('a level without a height is judged by the heights that it may have', () => {
	const isOffered = (level: string) =>
		violatedClassRule({ ...standard, discipline: 'JUMPING', level }, 'CSN-B') === undefined;
	expect(['E0', 'M', 'S*', 'S'].map(isOffered)).toEqual([true, true, false, false]);
});

test('tests without a class are offered in every category', () => {
	for (const kind of ['RIDING_HORSE', 'LICENCE_FREE', 'INTRODUCTORY'] as const)
		expect(violatedClassRule({ ...standard, kind, level: 'A' }, 'CDN-A')).toBeUndefined();
});

test('B* offers one dressage competition of class S a day', () => {
	const exceeds = (others: readonly Partial<RuledCompetition>[], category = 'CDN-B*') =>
		exceedsHighestOfDay(
			standard,
			others.map((other) => ({ ...standard, ...other })),
			category,
		);
	expect(exceeds([])).toBe(false);
	expect(exceeds([{}])).toBe(true);
	expect(exceeds([{ date: '2026-06-13' }, { level: 'M' }])).toBe(false);
	expect(exceeds([{}], 'CDN-A')).toBe(false);
});
