import type { Discipline, Ruleset } from '../enumerations.ts';
import { type Range, type RuledCompetition, taskKey } from './rule.ts';

interface HeightClass {
	readonly level: string;
	readonly heightCm: Range;
}

/** Classes of jumping by height (OeTO §15, §200.5). E and A0 share 95 to 100 cm; S without stars is any of its classes. */
const horseHeights: readonly HeightClass[] = [
	{ level: 'E0', heightCm: [40, 90] },
	{ level: 'A0', heightCm: [95, 100] },
	{ level: 'E', heightCm: [95, 100] },
	{ level: 'A', heightCm: [105, 110] },
	{ level: 'L', heightCm: [115, 120] },
	{ level: 'LM', heightCm: [125, 130] },
	{ level: 'M', heightCm: [135, 135] },
	// Stars of M exist for ponies only; some announcements use them for horses.
	...['M*', 'M**', 'M***'].map((level): HeightClass => ({ level, heightCm: [135, 135] })),
	{ level: 'S*', heightCm: [140, 140] },
	{ level: 'S**', heightCm: [145, 145] },
	{ level: 'S***', heightCm: [150, 240] },
	{ level: 'S', heightCm: [140, 240] },
];

/** The same for ponies; M and S without stars are any of their classes. */
const ponyHeights: readonly HeightClass[] = [
	{ level: 'E0', heightCm: [30, 80] },
	{ level: 'A0', heightCm: [30, 85] },
	{ level: 'E', heightCm: [30, 85] },
	{ level: 'A', heightCm: [85, 90] },
	{ level: 'L', heightCm: [95, 100] },
	{ level: 'LM', heightCm: [105, 105] },
	{ level: 'M*', heightCm: [110, 110] },
	{ level: 'M**', heightCm: [115, 115] },
	{ level: 'M***', heightCm: [120, 120] },
	{ level: 'S*', heightCm: [125, 125] },
	{ level: 'S**', heightCm: [130, 130] },
	{ level: 'S***', heightCm: [135, 180] },
	{ level: 'M', heightCm: [110, 120] },
	{ level: 'S', heightCm: [125, 180] },
];

/** V: eventing (OeTO §300); VH: Haflinger (§1500). The level is the height. */
const eventingHeights: readonly HeightClass[] = [
	...[80, 85, 90, 95, 100, 105, 110, 115, 120].map((cm) => eventing('V', cm)),
	...[80, 90, 95, 100].map((cm) => eventing('VH', cm)),
];

function eventing(letters: string, cm: number): HeightClass {
	return { level: `${letters}${cm}`, heightCm: [cm, cm] };
}

const letters = ['E', 'A', 'L', 'LM', 'M', 'S'] as const;
const grades = ['GRADE I', 'GRADE II', 'GRADE III', 'GRADE IV', 'GRADE V'];

/** National levels by discipline, from the lowest. */
export const levels: Readonly<Record<Discipline, readonly string[]>> = {
	DRESSAGE: ['E', 'A', 'L', 'LP', 'LM', 'M', 'S'],
	JUMPING: ['E0', 'A0', 'E', 'A', 'L', 'LM', 'M', 'M*', 'M**', 'M***', 'S', 'S*', 'S**', 'S***'],
	EVENTING: eventingHeights.map(({ level }) => level),
	DRIVING: letters,
	ENDURANCE: letters,
	VAULTING: letters,
	REINING: letters,
	WESTERN: letters,
	WORKING_EQUITATION: letters,
	PARA_DRESSAGE: [...grades, ...letters],
	ICELANDIC: letters,
};

/** Second letter of the international categories of a discipline. */
const feiLetters: Readonly<Partial<Record<Discipline, string>>> = {
	DRESSAGE: 'D',
	JUMPING: 'S',
	EVENTING: 'C',
	DRIVING: 'A',
	ENDURANCE: 'E',
	VAULTING: 'V',
	REINING: 'R',
	PARA_DRESSAGE: 'PED',
};

/** The levels of a discipline; international events also have those of the FEI, such as CSI3*. */
export function levelsOf(discipline: Discipline, ruleset: Ruleset): readonly string[] {
	const letter = feiLetters[discipline];
	if (ruleset === 'OETO' || letter === undefined) return levels[discipline];
	return [...levels[discipline], ...[1, 2, 3, 4, 5].map((stars) => `C${letter}I${stars}*`)];
}

function heightClasses({
	discipline,
	ponyOnly,
}: Pick<RuledCompetition, 'discipline' | 'ponyOnly'>): readonly HeightClass[] {
	if (discipline === 'EVENTING') return eventingHeights;
	if (discipline !== 'JUMPING') return [];
	return ponyOnly ? ponyHeights : horseHeights;
}

/** The heights of a level; undefined if it has none. */
export function heightsOf(
	competition: Pick<RuledCompetition, 'discipline' | 'ponyOnly' | 'level'>,
): Range | undefined {
	return heightClasses(competition).find(({ level }) => level === competition.level)?.heightCm;
}

/** The class of a height; undefined if no class has it. */
export function levelOfHeight(
	competition: Pick<RuledCompetition, 'discipline' | 'ponyOnly'>,
	heightCm: number,
): string | undefined {
	return heightClasses(competition).find(
		({ heightCm: [from, to] }) => from <= heightCm && heightCm <= to && heightCm % 5 === 0,
	)?.level;
}

/** The heights that a competition may have: its own, or all of its level; `[null]` if heights do not matter. */
export function possibleHeights(competition: RuledCompetition): readonly (number | null)[] {
	const { heightCm } = competition;
	if (heightCm !== null) return [heightCm];
	const range = heightsOf(competition);
	if (range === undefined) return [null];
	const steps = Math.floor((range[1] - range[0]) / 5);
	return Array.from({ length: steps + 1 }, (_, step) => range[0] + step * 5);
}

/**
 * The class by which the rules compare levels: LP counts as M (§108.2.2), stars do not matter. Undefined for levels that
 * are no class: Einlauf (E0, A0), eventing, para grades, and those of the FEI.
 */
export function classOf({
	discipline,
	level,
}: Pick<RuledCompetition, 'discipline' | 'level'>): (typeof letters)[number] | undefined {
	if (discipline === 'DRESSAGE' && level === 'LP') return 'M';
	const plain = level.replaceAll('*', '');
	return discipline === 'EVENTING' ? undefined : letters.find((letter) => letter === plain);
}

export const classes: readonly string[] = letters;

/** Parts of a level as earlier versions took it in one text. */
export interface ParsedLevel {
	readonly level: string;
	readonly heightCm: number | null;
	readonly task: string | null;
}

/**
 * Reads a level: `A2` and `LM5` are tests of a dressage level, `L 115` and `M 135CM` have the height behind the level, V100
 * is a height itself. Undefined if the text is not a level of the discipline.
 */
export function parseLevel(
	text: string,
	{ discipline, ruleset }: { readonly discipline: Discipline; readonly ruleset: Ruleset },
): ParsedLevel | undefined {
	const known = levelsOf(discipline, ruleset);
	const plain = text
		.trim()
		.toUpperCase()
		.replace(/^(VH?) (\d)/, '$1$2');
	if (known.includes(plain)) {
		const height = discipline === 'EVENTING' ? /\d+$/.exec(plain)?.[0] : undefined;
		return { level: plain, heightCm: height === undefined ? null : Number(height), task: null };
	}
	const [, level = '', number = ''] = /^([A-Z]+0?\*{0,3})[ ./-]?(\d+)(?: ?CM)?$/.exec(plain) ?? [];
	if (discipline === 'DRESSAGE' && /^R[1-6]$/.test(plain)) return { level: 'A', heightCm: null, task: plain };
	if (!known.includes(level)) return undefined;
	if (discipline === 'DRESSAGE' && number.length <= 2)
		return { level, heightCm: null, task: `${level}${number}` };
	if (discipline === 'JUMPING' && number.length >= 2) return { level, heightCm: Number(number), task: null };
	return undefined;
}

/** The dressage levels of a task: `LM5` those of LM, R1 to R6 of C-NEU (§109) E to L; undefined for tasks with a name. */
export function levelsOfTask(task: string): readonly string[] | undefined {
	const [, letter] = /^(E|A|L|LP|LM|M|S|R) ?\d{1,2}$/.exec(taskKey(task)) ?? [];
	if (letter === undefined) return undefined;
	return letter === 'R' ? ['E', 'A', 'L'] : [letter];
}
