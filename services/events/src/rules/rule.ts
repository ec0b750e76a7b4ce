import type { CompetitionKind, Discipline } from '../enumerations.ts';

/** First and last value, inclusive. */
export type Range = readonly [from: number, to: number];

/** The competitions that a row is about; a criterion that is absent is not considered. */
export interface Criteria {
	readonly discipline?: Discipline;
	readonly kinds?: readonly CompetitionKind[];
	readonly levels?: readonly string[];
	readonly heightCm?: Range;
	readonly distanceKm?: Range;
	/** In the form of `taskKey`. */
	readonly tasks?: readonly string[];
	readonly ponyOnly?: boolean;
	/** Letters of the event's category: `A*`, `C-NEU`. */
	readonly categories?: readonly string[];
}

/**
 * One rule of the Austrian tournament rules (OeTO). The next edition is a further row with a later `validFrom`, which
 * replaces the row with the same code, paragraph and criteria; a rule that lapses gets a `repealed` row.
 */
export interface Rule {
	readonly code: string;
	/** Without the sign: `200.7`. */
	readonly paragraph: string;
	readonly level: 'ERROR' | 'WARNING';
	/** The first day on which competitions are judged by it. */
	readonly validFrom: string;
	/** Whether organiser and office may pass the finding with a reason. */
	readonly overridable: boolean;
	readonly criteria: Criteria;
	/** Bounds of the measured value: years, starts, cents. */
	readonly min?: number;
	readonly max?: number;
	/** The values that are allowed, if they are not numbers. */
	readonly allowed?: readonly string[];
	/** The rule for people, without the numbers above. */
	readonly text: string;
	readonly repealed?: true;
}

/** The first day of the edition of 2026; earlier competitions are judged by the same rows. */
export const edition2026 = '2026-01-01';

const keyOf = ({ code, paragraph, criteria }: Rule) => JSON.stringify([code, paragraph, criteria]);

/** The rows in force on that day, in the order of the table. */
export function inForce<Row extends Rule>(rows: readonly Row[], date: string): readonly Row[] {
	const day = date < edition2026 ? edition2026 : date;
	const latest = new Map<string, Row>();
	for (const row of rows) {
		const key = keyOf(row);
		const present = latest.get(key);
		if (row.validFrom <= day && (present === undefined || present.validFrom <= row.validFrom))
			latest.set(key, row);
	}
	return [...latest.values()].filter(({ repealed }) => repealed !== true);
}

export function amountText(hundredths = 0, currency = 'EUR'): string {
	return `${(hundredths / 100).toFixed(2)} ${currency}`;
}

export interface RuledCompetition {
	readonly discipline: Discipline;
	readonly kind: CompetitionKind;
	readonly level: string;
	readonly heightCm: number | null;
	readonly distanceKm: number | null;
	readonly task: string | null;
	readonly ponyOnly: boolean;
	/** `YYYY-MM-DD`; selects the edition. */
	readonly date: string;
}

/** The form in which tasks are compared: upper case, single blanks. */
export function taskKey(task: string): string {
	return task.trim().toUpperCase().replaceAll(/[ .]+/g, ' ');
}

/** Whether a competition of that height, or of an event of that category, meets the criteria. */
export function meets(
	criteria: Criteria,
	competition: RuledCompetition,
	{ heightCm, category }: { readonly heightCm: number | null; readonly category?: string | undefined },
): boolean {
	const { discipline, kind, level, distanceKm, task, ponyOnly } = competition;
	const within = (range: Range | undefined, value: number | null) =>
		range === undefined || (value !== null && range[0] <= value && value <= range[1]);
	return (
		(criteria.discipline ?? discipline) === discipline &&
		(criteria.ponyOnly ?? ponyOnly) === ponyOnly &&
		(criteria.kinds?.includes(kind) ?? true) &&
		(criteria.levels?.includes(level) ?? true) &&
		(criteria.tasks === undefined || (task !== null && criteria.tasks.includes(taskKey(task)))) &&
		(criteria.categories === undefined ||
			(category !== undefined && criteria.categories.includes(category))) &&
		within(criteria.heightCm, heightCm) &&
		within(criteria.distanceKm, distanceKm)
	);
}
