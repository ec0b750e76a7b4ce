import { possibleHeights } from './levels.ts';
import {
	type Criteria,
	edition2026,
	inForce,
	meets,
	type Rule,
	type RuledCompetition,
	taskKey,
} from './rule.ts';

type Ages = readonly [youngest: number, oldest?: number];

/** One line of the tables of ages: paragraph, competitions, youngest and oldest horse in years. */
function row(paragraph: string, criteria: Criteria, [min, max]: Ages, validFrom = edition2026): Rule {
	return {
		code: max === undefined ? 'HORSE_TOO_YOUNG' : 'HORSE_TOO_OLD',
		paragraph,
		level: 'ERROR',
		validFrom,
		overridable: true,
		criteria,
		min,
		...(max === undefined ? {} : { max }),
		text: 'Age of the horse in years, by calendar year (§53.3).',
	};
}

const most = 999;
const dressage = { discipline: 'DRESSAGE' } as const;
const jumping = { discipline: 'JUMPING' } as const;
const eventing = { discipline: 'EVENTING' } as const;
const endurance = { discipline: 'ENDURANCE' } as const;
const youngDressage = { ...dressage, kinds: ['YOUNG_HORSE'] } as const;
const youngJumping = { ...jumping, kinds: ['YOUNG_HORSE'] } as const;

/** Dressage tests of the middle tour, of U25 and of the grand tour, as announcements name them. */
const seniorTours = [
	['INTERMEDIATE A', 'INTERMEDIAIRE A', 'INTER A', 'INT A'],
	['INTERMEDIATE B', 'INTERMEDIAIRE B', 'INTER B', 'INT B'],
	['INTERMEDIATE II', 'INTERMEDIAIRE II', 'INTER II', 'INT II', 'INTERMEDIATE 2', 'INTER 2', 'INT 2'],
	[
		'INTERMEDIÄRE A',
		'INTERMÉDIAIRE A',
		'INTERMEDIÄRE B',
		'INTERMÉDIAIRE B',
		'INTERMEDIÄRE II',
		'INTERMÉDIAIRE II',
	],
	['GRAND PRIX', 'GP', 'GRAND PRIX DE DRESSAGE', 'GRAND PRIX SPECIAL', 'GP SPECIAL', 'GPS'],
	['GRAND PRIX SPEZIAL', 'GP SPEZIAL', 'GRAND PRIX KUER', 'GP KUER'],
	['GRAND PRIX FREESTYLE', 'GRAND PRIX KÜR', 'GP FREESTYLE', 'GP KÜR', 'GPF'],
	[
		'GRAND PRIX U25',
		'GP U25',
		'U25 GRAND PRIX',
		'U25 GP',
		'INTERMEDIATE II U25',
		'INTER II U25',
		'U25',
		'SHORT GRAND PRIX',
		'KURZ GRAND PRIX',
	],
	['MIDDLE TOUR', 'MITTLERE TOUR', 'GRAND TOUR', 'GROSSE TOUR'],
].flat();

/** The level of a test of these tours; undefined for any other name. */
export function levelsOfNamedTask(task: string): readonly string[] | undefined {
	return seniorTours.includes(taskKey(task)) ? ['S'] : undefined;
}

/**
 * Ages of horses, as the OeTO prints them. The row with the most criteria decides about a competition. Contradictions
 * of the text: §200.7 precedes §53.2 (§53.5); LM in tests for young dressage horses counts as M.
 */
export const horseAges: readonly Rule[] = [
	// §53.2: all disciplines
	row('53.2', {}, [4]),
	row('53.2', { levels: ['L'] }, [5]),
	row('53.2', { levels: ['LP', 'LM', 'M', 'M*', 'M**', 'M***', 'S', 'S*', 'S**', 'S***'] }, [6]),
	row('53.2', { ...eventing, heightCm: [0, 100] }, [4]),
	row('53.2', { ...eventing, heightCm: [101, 105] }, [5]),
	row('53.2', { ...eventing, heightCm: [106, most] }, [6]),
	row('53.2', { ...eventing, ponyOnly: true, heightCm: [86, 90] }, [5]),
	row('53.2', { ...eventing, ponyOnly: true, heightCm: [91, most] }, [6]),
	// §108.2: dressage
	row('108.2.2', { ...dressage, levels: ['LP'] }, [6]),
	row('108.2.3', { ...dressage, levels: ['S'] }, [7]),
	row('108.2.3', { ...dressage, tasks: seniorTours }, [8]),
	row('108.2.3', { ...dressage, levels: ['S'], tasks: seniorTours }, [8]),
	// §200.7: jumping
	row('200.7', { ...jumping, heightCm: [0, 79] }, [5]),
	row('200.7', { ...jumping, heightCm: [80, 110] }, [4]),
	row('200.7', { ...jumping, heightCm: [111, 130] }, [5]),
	row('53.2', { ...jumping, heightCm: [131, most] }, [6]),
	// §100.5, §200.6: tests for young horses
	row('100.5', { ...youngDressage, levels: ['A'] }, [4, 6]),
	row('100.5', { ...youngDressage, levels: ['L'] }, [5, 6]),
	row('100.5', { ...youngDressage, levels: ['LP', 'LM', 'M'] }, [6, 7]),
	row('100.5', { ...youngDressage, levels: ['S'] }, [7, 8]),
	row('200.6', { ...youngJumping, heightCm: [95, 110] }, [4, 6]),
	row('200.6', { ...youngJumping, heightCm: [111, 130] }, [5, 6]),
	row('200.6', { ...youngJumping, heightCm: [131, 135] }, [6, 7]),
	// §608.1: endurance
	row('608.1', endurance, [4]),
	row('608.1', { ...endurance, distanceKm: [0, 49] }, [4]),
	row('608.1', { ...endurance, distanceKm: [50, 99] }, [5]),
	row('608.1', { ...endurance, distanceKm: [100, 119] }, [6]),
	row('608.1', { ...endurance, distanceKm: [120, 139] }, [7]),
	row('608.1', { ...endurance, distanceKm: [140, most] }, [8]),
	// §1102, §1103: riding horses
	row('1102', { kinds: ['RIDING_HORSE'] }, [3, 5]),
	row('1103', { kinds: ['SUITABILITY'] }, [4, 6]),
];

export interface HorseAges {
	readonly min: number;
	/** Null = no limit. */
	readonly max: number | null;
	readonly rule: Rule;
}

/**
 * The ages for a competition, by the rows of its day. A jumping competition without a height has the widest limits of the
 * heights of its level.
 */
export function horseAgesOf(competition: RuledCompetition, table: readonly Rule[] = horseAges): HorseAges {
	const rows = inForce(table, competition.date);
	const found = possibleHeights(competition).flatMap(
		(heightCm) =>
			mostSpecific(rows.filter(({ criteria }) => meets(criteria, competition, { heightCm }))) ?? [],
	);
	const youngest = found.toSorted((a, b) => (a.min ?? 0) - (b.min ?? 0))[0];
	const oldest = found.toSorted((a, b) => (b.max ?? Infinity) - (a.max ?? Infinity))[0];
	if (youngest === undefined || oldest === undefined)
		throw new TypeError(`no age of horses for ${competition.discipline} ${competition.level}`);
	return { min: youngest.min ?? 0, max: oldest.max ?? null, rule: youngest };
}

function mostSpecific(rows: readonly Rule[]): Rule | undefined {
	return rows.toSorted((a, b) => weight(b.criteria) - weight(a.criteria))[0];
}

/** The kind of a competition decides before everything else. */
function weight({ kinds, ...criteria }: Criteria): number {
	return Object.keys(criteria).length + (kinds === undefined ? 0 : 10);
}
