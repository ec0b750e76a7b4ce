import { classesByCategory, highestOfDay } from './classes-by-category.ts';
import { entryRules } from './entry-rules.ts';
import { eventRules } from './event-rules.ts';
import { horseAges } from './horse-ages.ts';
import { inForce, type Rule } from './rule.ts';
import { startGap } from './start-order.ts';

/** What a rule is about. */
export const ruleTopics = ['ENTRY', 'HORSE_AGE', 'CLASS', 'EVENT', 'START_ORDER'] as const;

export type RuleTopic = (typeof ruleTopics)[number];

const tables: Readonly<Record<RuleTopic, readonly Rule[]>> = {
	ENTRY: entryRules,
	HORSE_AGE: horseAges,
	CLASS: [...classesByCategory, highestOfDay],
	EVENT: eventRules,
	START_ORDER: [startGap],
};

/** All rules in force on that day, by topic. */
export function rulesOn(date: string): readonly (Rule & { readonly topic: RuleTopic })[] {
	return ruleTopics.flatMap((topic) => inForce(tables[topic], date).map((rule) => ({ ...rule, topic })));
}

/** Codes of findings about entries. */
export const entryRuleCodes: readonly string[] = [
	...new Set([...entryRules, ...horseAges].map(({ code }) => code)),
];
