import { classesByCategory, highestOfDay } from './classes-by-category.ts';
import { competitionRules } from './competition-rules.ts';
import { entryRules } from './entry-rules.ts';
import { eventRules } from './event-rules.ts';
import { horseAges } from './horse-ages.ts';
import { edition2026, inForce, type Rule } from './rule.ts';

/** Horses between two starts of a rider (OeTO §38.2). */
const startGap: Rule = {
	code: 'START_GAP_TOO_SMALL',
	paragraph: '38.2',
	level: 'WARNING',
	validFrom: edition2026,
	overridable: false,
	criteria: {},
	min: 6,
	text: 'Horses between two starts of a rider in a competition, if the number of starters allows it.',
};

export const ruleTopics = ['ENTRY', 'HORSE_AGE', 'CLASS', 'EVENT', 'START_ORDER'] as const;

export type RuleTopic = (typeof ruleTopics)[number];

const tables: Readonly<Record<RuleTopic, readonly Rule[]>> = {
	ENTRY: entryRules,
	HORSE_AGE: horseAges,
	CLASS: [...classesByCategory, highestOfDay],
	EVENT: [...eventRules, ...competitionRules],
	START_ORDER: [startGap],
};

export function rulesOn(date: string): readonly (Rule & { readonly topic: RuleTopic })[] {
	return ruleTopics.flatMap((topic) => inForce(tables[topic], date).map((rule) => ({ ...rule, topic })));
}

export const entryRuleCodes: readonly string[] = [
	...new Set([...entryRules, ...horseAges].map(({ code }) => code)),
];

/** The places of a starting order, from 1, at which a rider starts too soon again. `riders`: ids in starting order. */
export function tooSmallGaps(riders: readonly string[], { min = 0 }: Rule = startGap): readonly number[] {
	const last = new Map<string, number>();
	const counts = new Map<string, number>();
	for (const rider of riders) counts.set(rider, (counts.get(rider) ?? 0) + 1);
	/** The gap that the number of starters allows at most. */
	const possible = (horses: number) => Math.floor((riders.length - horses) / (horses - 1));
	return riders.flatMap((rider, index) => {
		const before = last.get(rider);
		last.set(rider, index);
		if (before === undefined) return [];
		const least = Math.min(min, possible(counts.get(rider) ?? 0));
		return index - before - 1 < least ? [index + 1] : [];
	});
}
