import { describe, expect, test } from '@jest/globals';
import { classOf, heightsOf, levelOfHeight, levels, parseLevel } from './levels.ts';

test.each([
	[60, 'E0'],
	[90, 'E0'],
	[95, 'A0'],
	[100, 'A0'],
	[105, 'A'],
	[110, 'A'],
	[115, 'L'],
	[130, 'LM'],
	[135, 'M'],
	[140, 'S*'],
	[145, 'S**'],
	[150, 'S***'],
	[102, undefined],
])('jumping at %i cm is level %s', (heightCm, level) => {
	expect(levelOfHeight({ discipline: 'JUMPING', ponyOnly: false }, heightCm)).toBe(level);
});

test.each([
	[90, 'A'],
	[100, 'L'],
	[105, 'LM'],
	[110, 'M*'],
	[120, 'M***'],
	[125, 'S*'],
	[135, 'S***'],
])('ponies jump %i cm at level %s', (heightCm, level) => {
	expect(levelOfHeight({ discipline: 'JUMPING', ponyOnly: true }, heightCm)).toBe(level);
});

test('every level of jumping and eventing has heights, for horses or ponies', () => {
	for (const discipline of ['JUMPING', 'EVENTING'] as const)
		for (const level of levels[discipline]) {
			const found = [false, true].some(
				(ponyOnly) => heightsOf({ discipline, level, ponyOnly }) !== undefined,
			);
			expect([level, found]).toEqual([level, true]);
		}
});

describe('levels as earlier versions took them', () => {
	test.each([
		['DRESSAGE', 'A2', { level: 'A', heightCm: null, task: 'A2' }],
		['DRESSAGE', 'LM5', { level: 'LM', heightCm: null, task: 'LM5' }],
		['DRESSAGE', 'R3', { level: 'A', heightCm: null, task: 'R3' }],
		['JUMPING', 'L 115', { level: 'L', heightCm: 115, task: null }],
		['JUMPING', 'S*', { level: 'S*', heightCm: null, task: null }],
		['EVENTING', 'V 105', { level: 'V105', heightCm: 105, task: null }],
		['EVENTING', 'VH80', { level: 'VH80', heightCm: 80, task: null }],
		['ENDURANCE', 'M', { level: 'M', heightCm: null, task: null }],
		['JUMPING', 'QUATSCH', undefined],
		['JUMPING', 'LP', undefined],
		['DRESSAGE', 'S*', undefined],
		['EVENTING', 'A', undefined],
		['EVENTING', 'V87', undefined],
	] as const)('%s %s', (discipline, text, expected) => {
		expect(parseLevel(text, { discipline, ruleset: 'OETO' })).toEqual(expected);
	});

	test('international events have their own levels too', () => {
		const jumping = { discipline: 'JUMPING' } as const;
		expect(parseLevel('CSI3*', { ...jumping, ruleset: 'FEI' })?.level).toBe('CSI3*');
		expect(parseLevel('CSI3*', { ...jumping, ruleset: 'OETO' })).toBeUndefined();
	});
});

test('LP is class M, Einlauf and eventing have no class', () => {
	expect(classOf({ discipline: 'DRESSAGE', level: 'LP' })).toBe('M');
	expect(classOf({ discipline: 'JUMPING', level: 'S**' })).toBe('S');
	expect(classOf({ discipline: 'JUMPING', level: 'E0' })).toBeUndefined();
	expect(classOf({ discipline: 'EVENTING', level: 'V100' })).toBeUndefined();
});
