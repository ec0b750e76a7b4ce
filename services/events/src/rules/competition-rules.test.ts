import { describe, expect, test } from '@jest/globals';
import {
	competitionRules,
	forbiddenOffer,
	judgeCompetition,
	type OfferedCompetition,
} from './competition-rules.ts';

function offer(changes: Partial<OfferedCompetition> = {}): OfferedCompetition {
	return {
		number: 1,
		name: 'Prüfung',
		discipline: 'JUMPING',
		kind: 'STANDARD',
		level: 'LM',
		heightCm: null,
		distanceKm: null,
		task: null,
		ponyOnly: false,
		date: '2026-06-12',
		startFee: 1_500,
		prizes: [],
		divisions: 1,
		dividedBy: [],
		ageClasses: [],
		...changes,
	};
}

type Changes = Partial<OfferedCompetition> & { readonly category?: string };

const found = ({ category = 'CSN-B', ...changes }: Changes) =>
	judgeCompetition(offer(changes), category).map(
		({ rule: { code, level, paragraph } }) => `${level} ${code} ${paragraph}`,
	);
const dressage = { discipline: 'DRESSAGE' } as const;
const divided = { divisions: 2, dividedBy: ['LICENCE'] as const };

describe('prizes and start fees', () => {
	const noPrize = 'ERROR PRIZE_NOT_ALLOWED';
	const prizes = [5_000, 4_000];
	test.each<[string, readonly string[], Changes]>([
		['prizes in LM', [], { prizes }],
		['in class E', [`${noPrize} 22.2`], { prizes, level: 'E' }],
		['in a licence-free test', [`${noPrize} 22.2`], { prizes, kind: 'LICENCE_FREE' }],
		['at C-NEU', [`${noPrize} 231`], { prizes, ...divided, category: 'CSN-C-NEU' }],
		[
			'at C-NEU in dressage',
			[`${noPrize} 109`],
			{ prizes, ...dressage, ...divided, level: 'L', category: 'CDN-C-NEU' },
		],
		['half of the last prize', [], { prizes, startFee: 2_000 }],
		['more than half of it', ['ERROR START_FEE_TOO_HIGH 36.2'], { prizes, startFee: 2_001 }],
		['more than 20 euros with prizes', [], { prizes: [9_000], startFee: 4_500 }],
		['more than 20 euros without', ['WARNING START_FEE_TOO_HIGH E'], { startFee: 2_001 }],
		['of another currency', [], { startFee: 9_000, currency: 'CHF' }],
		[
			'more than 15 euros at C-NEU',
			['WARNING START_FEE_TOO_HIGH 231'],
			{ startFee: 1_501, ...divided, category: 'CSN-C-NEU' },
		],
	])('%s', (_name, expected, changes) => {
		expect(found(changes)).toEqual(expected);
		const isError = expected.some((text) => text.startsWith('ERROR'));
		const { category = 'CSN-B', ...rest } = changes;
		expect(forbiddenOffer(offer(rest), category) !== undefined).toBe(isError);
	});
});

describe('divisions', () => {
	const required = (paragraph: string, level = 'WARNING') => [`${level} DIVISION_REQUIRED ${paragraph}`];
	test.each<[string, readonly string[], Changes]>([
		['A', required('39.1'), { level: 'A' }],
		['A by licence', [], { level: 'A', ...divided }],
		['A by places', required('39.1'), { level: 'A', divisions: 2, dividedBy: ['PLACES'] }],
		['LP', required('39.1'), { ...dressage, level: 'LP' }],
		['M', [], { ...dressage, level: 'M' }],
		['LM at C-NEU', required('231'), { category: 'CSN-C-NEU' }],
		[
			'the lowest test for young horses',
			required('200.6'),
			{ kind: 'YOUNG_HORSE', level: 'A', heightCm: 105 },
		],
		['the next one', [], { kind: 'YOUNG_HORSE', level: 'L', heightCm: 115 }],
		['the lowest dressage', required('100.5'), { ...dressage, kind: 'YOUNG_HORSE', level: 'A' }],
		['ponies of all ages', required('900.3', 'ERROR'), { ponyOnly: true }],
		[
			'ponies of both classes',
			required('900.3', 'ERROR'),
			{ ponyOnly: true, ageClasses: ['YOUTH', 'GENERAL'] },
		],
		['ponies of the youth', [], { ponyOnly: true, ageClasses: ['YOUTH'] }],
		['ponies by age', [], { ponyOnly: true, divisions: 2, dividedBy: ['RIDER_AGE'] }],
		// Test 23 of the federation's examples.
		['80 starters', [], { starters: 80 }],
		['81 starters', required('39.2'), { starters: 81 }],
		['81 starters in two divisions', [], { starters: 81, ...divided }],
		['161 starters in two divisions', required('39.2'), { starters: 161, ...divided }],
		['81 starters of a cup', [], { starters: 81, championship: 'Landescup' }],
		[
			'81 starters divided by age',
			required('39.3'),
			{ starters: 81, divisions: 2, dividedBy: ['RIDER_AGE'] },
		],
		['80 starters divided by age', [], { starters: 80, divisions: 2, dividedBy: ['RIDER_AGE'] }],
		['81 starters divided by places', [], { starters: 81, divisions: 2, dividedBy: ['PLACES'] }],
		['30 starters in style', [], { kind: 'STYLE', starters: 30 }],
		['31 starters in style', required('39.2'), { kind: 'STYLE', starters: 31 }],
		['81 starters in dressage', [], { ...dressage, level: 'M', starters: 81 }],
	])('%s', (_name, expected, changes) => {
		expect(found(changes)).toEqual(expected);
	});
});

test('a competition with less than three starters may be withdrawn once entries are closed', () => {
	expect(found({ starters: 2, isClosed: true })).toEqual(['WARNING TOO_FEW_STARTERS 25.2']);
	expect([...found({ starters: 3, isClosed: true }), ...found({ starters: 0 })]).toEqual([]);
});

test('an edition is further rows: 2027 has another bound', () => {
	const rule = competitionRules.find(({ paragraph, max }) => paragraph === 'E' && max === 2_000);
	if (rule === undefined) throw new TypeError('no such rule');
	const table = [...competitionRules, { ...rule, max: 2_500, validFrom: '2027-01-01' }];
	const judged = (date: string) => judgeCompetition(offer({ date, startFee: 2_300 }), 'CSN-B', table).length;
	expect([judged('2026-12-31'), judged('2027-01-01')]).toEqual([1, 0]);
});
