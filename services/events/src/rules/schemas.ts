import { day } from '@paddock/service';
import { z } from 'zod';
import { competitionKind } from '../enumerations.ts';
import { discipline, ruleset } from '../events/schemas.ts';
import { ruleTopics } from './catalogue.ts';

export const ruleReference = z
	.strictObject({
		source: z.string().describe('The rules: OETO, the Austrian tournament rules.'),
		paragraph: z.string().describe('Paragraph without the sign, such as 200.7; E is part E.'),
	})
	.meta({ id: 'RuleReference', description: 'A rule of the federation.' });

const range = z
	.strictObject({ from: z.number().describe('First value.'), to: z.number().describe('Last value.') })
	.meta({ id: 'RuleRange', description: 'A range, inclusive.' });

const criteria = z
	.strictObject({
		discipline: discipline.optional().describe('Only this discipline.'),
		kinds: z.array(competitionKind).optional().describe('Only these kinds.'),
		levels: z.array(z.string()).optional().describe('Only these levels.'),
		heightCm: range.optional().describe('Only these heights in centimetres.'),
		distanceKm: range.optional().describe('Only these distances in kilometres.'),
		tasks: z.array(z.string()).optional().describe('Only these dressage tests.'),
		ponyOnly: z.boolean().optional().describe('Only competitions for ponies.'),
		categories: z.array(z.string()).optional().describe('Only events of these categories, such as B*.'),
	})
	.meta({ id: 'RuleCriteria', description: 'The competitions that a rule is about; empty = all.' });

const rule = ruleReference
	.extend({
		topic: z.enum(ruleTopics).meta({
			id: 'RuleTopic',
			description:
				'ENTRY: rules about entries. HORSE_AGE: minimum and maximum age in years. CLASS: levels or heights that an event of a category may offer. EVENT: deadlines and fees. START_ORDER: the order of starts.',
		}),
		code: z.string().describe('Code of the findings.'),
		level: z.enum(['ERROR', 'WARNING']).meta({ id: 'RuleLevel', description: 'What a violation is.' }),
		overridable: z.boolean().describe('Whether organiser and office may pass a violation with a reason.'),
		validFrom: day.describe('First day of the edition that has the rule.'),
		criteria,
		min: z.number().nullable().describe('Least allowed value; null = none.'),
		max: z.number().nullable().describe('Largest allowed value; null = none.'),
		allowed: z.array(z.string()).nullable().describe('Allowed levels; null = by number, or none.'),
		text: z.string().describe('The rule for people.'),
	})
	.meta({ id: 'Rule', description: 'One rule by which the system judges events, competitions or entries.' });

export const ruleList = z
	.strictObject({
		ruleset,
		date: day.describe('The day on which the rules are in force.'),
		items: z.array(rule).describe('The rules, in the order of the tables.'),
	})
	.meta({ id: 'RuleList', description: 'Rules in force on a day.' });

export type RuleList = z.output<typeof ruleList>;

export const rulesQuery = z.strictObject({
	ruleset: ruleset.optional().describe('OETO if absent. The system knows no rules of the FEI.'),
	discipline: discipline.optional().describe('Rules about this discipline and those about all.'),
	date: day.optional().describe('The day of the competition; today if absent.'),
});
