import { describe, expect, test } from '@jest/globals';
import { horseAges, horseAgesOf } from './horse-ages.ts';
import { inForce, type Range, type Rule, type RuledCompetition } from './rule.ts';

const standard: RuledCompetition = {
	discipline: 'JUMPING',
	kind: 'STANDARD',
	level: 'A',
	heightCm: null,
	distanceKm: null,
	task: null,
	ponyOnly: false,
	date: '2026-06-12',
};
const agesOf = (changes: Partial<RuledCompetition>) => {
	const { min, max, rule } = horseAgesOf({ ...standard, ...changes });
	return [min, max, rule.paragraph];
};

describe('the ages that were wrong before', () => {
	test.each<[string, Partial<RuledCompetition>, readonly [number, number | null, string]]>([
		['jumping 125 cm', { level: 'LM', heightCm: 125 }, [5, null, '200.7']],
		['jumping 130 cm', { level: 'LM', heightCm: 130 }, [5, null, '200.7']],
		['jumping 135 cm', { level: 'M', heightCm: 135 }, [6, null, '53.2']],
		['jumping 70 cm', { level: 'E0', heightCm: 70 }, [5, null, '200.7']],
		['jumping 80 cm', { level: 'E0', heightCm: 80 }, [4, null, '200.7']],
		['jumping 110 cm', { heightCm: 110 }, [4, null, '200.7']],
		['jumping 115 cm', { level: 'L', heightCm: 115 }, [5, null, '200.7']],
		['jumping of level LM', { level: 'LM' }, [5, null, '200.7']],
		['dressage S', { discipline: 'DRESSAGE', level: 'S' }, [7, null, '108.2.3']],
		['St. Georg', { discipline: 'DRESSAGE', level: 'S', task: 'St. Georg' }, [7, null, '108.2.3']],
		['Grand Prix', { discipline: 'DRESSAGE', level: 'S', task: 'Grand  Prix' }, [8, null, '108.2.3']],
		['Intermediate II', { discipline: 'DRESSAGE', level: 'S', task: 'Inter. II' }, [8, null, '108.2.3']],
		['LP', { discipline: 'DRESSAGE', level: 'LP' }, [6, null, '108.2.2']],
		['LM in dressage', { discipline: 'DRESSAGE', level: 'LM' }, [6, null, '53.2']],
		['endurance 40 km', { discipline: 'ENDURANCE', level: 'M', distanceKm: 40 }, [4, null, '608.1']],
		['endurance 160 km', { discipline: 'ENDURANCE', level: 'S', distanceKm: 160 }, [8, null, '608.1']],
		['Reitpferde', { kind: 'RIDING_HORSE', discipline: 'DRESSAGE' }, [3, 5, '1102']],
		['Eignung', { kind: 'SUITABILITY' }, [4, 6, '1103']],
		['VH80', { discipline: 'EVENTING', level: 'VH80', heightCm: 80 }, [4, null, '53.2']],
		['V105', { discipline: 'EVENTING', level: 'V105', heightCm: 105 }, [5, null, '53.2']],
		[
			'V90, ponies',
			{ discipline: 'EVENTING', level: 'V90', heightCm: 90, ponyOnly: true },
			[5, null, '53.2'],
		],
		[
			'V95, ponies',
			{ discipline: 'EVENTING', level: 'V95', heightCm: 95, ponyOnly: true },
			[6, null, '53.2'],
		],
		['Springpferde 130 cm', { kind: 'YOUNG_HORSE', level: 'LM', heightCm: 130 }, [5, 6, '200.6']],
		['Springpferde of level A', { kind: 'YOUNG_HORSE' }, [4, 6, '200.6']],
		['Dressurpferde M', { kind: 'YOUNG_HORSE', discipline: 'DRESSAGE', level: 'M' }, [6, 7, '100.5']],
	])('%s', (_name, changes, expected) => {
		expect(agesOf(changes)).toEqual(expected);
	});
});

const ends = (range: Range | undefined): readonly (number | null)[] => range ?? [null];

/** Competitions at both ends of every row, as the row itself describes them. */
const competitionsOfRows = inForce(horseAges, '2026-06-12').flatMap((rule) => {
	const {
		discipline = 'DRIVING',
		kinds = ['STANDARD'],
		levels = ['A'],
		tasks = [null],
		ponyOnly = false,
	} = rule.criteria;
	return ends(rule.criteria.heightCm).flatMap((heightCm) =>
		ends(rule.criteria.distanceKm).flatMap((distanceKm) =>
			kinds.flatMap((kind) =>
				levels.flatMap((level) =>
					tasks.map((task): readonly [string, Rule, RuledCompetition] => {
						const competition = {
							...standard,
							discipline,
							kind,
							level,
							heightCm,
							distanceKm,
							task,
							ponyOnly,
						};
						const name = [discipline, kind, level, heightCm, distanceKm, task, ponyOnly ? 'ponies' : '']
							.filter((part) => part !== null && part !== '')
							.join(' ');
						return [`${rule.paragraph} ${name}`, rule, competition];
					}),
				),
			),
		),
	);
});

describe('both ends of every row of 2026', () => {
	test.each(competitionsOfRows)('§%s', (_name, rule, competition) => {
		const { min, max, rule: found } = horseAgesOf(competition);
		// A row for all is narrowed by another one only if that one says more.
		const isOwn = found === rule || Object.keys(found.criteria).length >= Object.keys(rule.criteria).length;
		expect([isOwn, min]).toEqual([true, found === rule ? rule.min : min]);
		if (found === rule) expect(max).toBe(rule.max ?? null);
	});

	test('every row decides about a competition', () => {
		const used = new Set(competitionsOfRows.map(([, , competition]) => horseAgesOf(competition).rule));
		expect(inForce(horseAges, '2026-06-12').filter((rule) => !used.has(rule))).toEqual([]);
	});
});

test('the editions of 2026 and 2027 exist side by side', () => {
	const changed = horseAges.find(({ paragraph }) => paragraph === '608.1') as Rule;
	const table: readonly Rule[] = [...horseAges, { ...changed, min: 5, validFrom: '2027-01-01' }];
	const ride = { ...standard, discipline: 'ENDURANCE', level: 'E' } as const;
	const days = ['2025-12-31', '2026-12-31', '2027-01-01', '2030-05-05'];
	expect(days.map((date) => horseAgesOf({ ...ride, date }, table).min)).toEqual([4, 4, 5, 5]);
	const kept = { ...ride, distanceKm: 120 };
	expect(days.map((date) => horseAgesOf({ ...kept, date }, table).min)).toEqual([7, 7, 7, 7]);
	const repealed = table.map((rule) =>
		rule.validFrom === '2027-01-01' ? { ...rule, repealed: true as const } : rule,
	);
	expect(inForce(repealed, '2027-01-01')).toHaveLength(horseAges.length - 1);
});
