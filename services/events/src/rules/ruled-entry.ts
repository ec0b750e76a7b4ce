import type { Discipline } from '../enumerations.ts';
import { edition2026, type Rule, type RuledCompetition } from './rule.ts';

export interface RuledStart extends RuledCompetition {
	readonly id: string;
	/** Name and number, for people. */
	readonly title: string;
	/** Name of the championship that it belongs to. */
	readonly championship: string | null;
}

export interface StartElsewhere {
	readonly date: string;
	readonly discipline: Discipline;
}

export interface StartedChampionship extends StartElsewhere {
	readonly championship: string;
}

/** What the rules about entries judge; of an event under the OeTO. */
export interface RuledEntry {
	readonly event: {
		readonly category: string;
		readonly officials: readonly { readonly role: string; readonly memberId?: string | null }[];
	};
	readonly rider:
		| { readonly id: string; readonly name: string; readonly birthYear: number; readonly nationality: string }
		| undefined;
	readonly horse:
		| {
				readonly name: string;
				readonly headNumber: string | null;
				readonly feePaidForYear: number | null;
		  }
		| undefined;
	readonly isLate: boolean;
	readonly starts: readonly RuledStart[];
	readonly others: readonly RuledStart[];
	readonly elsewhere: readonly StartElsewhere[];
	/** Starts of the rider in championships, besides the judged ones. */
	readonly championships: readonly StartedChampionship[];
}

export interface Finding {
	/** Id of a competition, a day or a discipline: what an override of the finding is about. */
	readonly subject: string;
	readonly message: string;
}

export interface EntryRule extends Rule {
	readonly about: 'EVENT' | 'RIDER' | 'HORSE';
	readonly judge: (entry: RuledEntry, rule: Rule) => readonly Finding[];
}

type Row = Pick<EntryRule, 'code' | 'paragraph' | 'text' | 'about'> & Partial<EntryRule>;

export const found = (subject: string, message: string): Finding => ({ subject, message });
/** One row of the table; without a function if entries/check-*.ts finds its violations. */
export function entryRule({ judge = () => [], ...rule }: Row): EntryRule {
	return { level: 'ERROR', validFrom: edition2026, overridable: true, criteria: {}, ...rule, judge };
}

/** The days of the judged starts, with all starts of the horse on them. */
export function byDay({ starts: judged, others }: RuledEntry): ReadonlyMap<string, readonly RuledStart[]> {
	const days = [...new Set(judged.map(({ date }) => date))];
	return new Map(days.map((day) => [day, [...judged, ...others].filter(({ date }) => date === day)]));
}
