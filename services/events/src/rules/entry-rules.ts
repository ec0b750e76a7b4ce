import { categoryLetters } from './classes-by-category.ts';
import { horseRules } from './horse-rules.ts';
import { riderRules } from './rider-rules.ts';
import { edition2026, inForce, meets, type Rule, type RuledCompetition } from './rule.ts';
import {
	type EntryRule,
	entryRule,
	type Finding,
	found,
	type RuledEntry,
	type RuledStart,
} from './ruled-entry.ts';
import { startLimits } from './start-limits.ts';

/**
 * Rules about entries (OeTO parts A and B). A further rule is a row with its function in the table that it belongs to, and
 * its test.
 */
export const entryRules: readonly EntryRule[] = [
	...horseRules,
	...riderRules,
	...startLimits,
	entryRule({
		code: 'LATE_ENTRY',
		paragraph: '29',
		level: 'WARNING',
		about: 'EVENT',
		judge: ({ isLate }) => (isLate ? [found('entry', 'The entry is late; the surcharge is due.')] : []),
		text: 'A late entry costs the surcharge (§29.6).',
	}),
	entryRule({
		code: 'NO_REFUND',
		paragraph: '23.4',
		level: 'WARNING',
		about: 'EVENT',
		min: 10,
		text: 'Days before the event up to which boxes are given back free of charge.',
	}),
	entryRule({
		code: 'NO_REFUND',
		paragraph: '28.7',
		level: 'WARNING',
		about: 'EVENT',
		text: 'Fees are returned for a withdrawal up to the entry deadline only.',
	}),
];

/** The last day of the judged starts decides which edition applies. */
const dayOf = (judged: readonly RuledStart[]) =>
	judged
		.map(({ date }) => date)
		.toSorted()
		.at(-1) ?? edition2026;

export function judgeByRules(
	entry: RuledEntry,
	table: readonly EntryRule[] = entryRules,
): readonly (Finding & { readonly rule: EntryRule })[] {
	return inForce(table, dayOf(entry.starts)).flatMap((rule) =>
		rule.judge(entry, rule).map((finding) => ({ ...finding, rule })),
	);
}

/** The row without criteria of a code, or that of the paragraph; undefined if the rules do not know it on that day. */
export function ruleOf(code: string, date: string, paragraph?: string): Rule | undefined {
	return inForce(entryRules, date).find(
		({ code: own, criteria, paragraph: of }) =>
			own === code && Object.keys(criteria).length === 0 && (paragraph ?? of) === of,
	);
}

/** How many riders may start with the same horse in a competition (§55.1.2). */
export function ridersPerHorse(competition: RuledCompetition, category: string): number {
	const { heightCm } = competition;
	const rows = inForce(entryRules, competition.date).filter(
		({ code, criteria }) =>
			code === 'HORSE_TWICE_IN_COMPETITION' &&
			meets(criteria, competition, { heightCm, category: categoryLetters(category) }),
	);
	return Math.max(1, ...rows.map(({ max = 1 }) => max));
}
