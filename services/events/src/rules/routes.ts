import { dayInVienna } from '@paddock/calendar';
import type { Route } from '@paddock/service';
import { type EventsDeps, route } from '../deps.ts';
import { rulesOn } from './catalogue.ts';
import type { Criteria, Range } from './rule.ts';
import { type RuleList, ruleList, rulesQuery } from './schemas.ts';

export const ruleRoutes: readonly Route<EventsDeps>[] = [
	route({
		method: 'get',
		path: '/api/events/rules',
		operationId: 'listRules',
		summary: 'List the rules by which competitions and entries are judged',
		description: 'By the edition of the OeTO in force on the day; docs/domain.md has them as tables.',
		access: 'public',
		query: rulesQuery,
		output: ruleList,
		message: 'Rules',
		etag: 'content',
		cacheControl: { maxAge: 300 },
		handler: ({ query, now }) => listRules({ ...query, date: query.date ?? dayInVienna(now) }),
	}),
];

interface RulesRequest {
	readonly ruleset?: RuleList['ruleset'] | undefined;
	readonly discipline?: Criteria['discipline'] | undefined;
	readonly date: string;
}

function listRules({ ruleset = 'OETO', discipline, date }: RulesRequest): RuleList {
	const isAbout = ({ discipline: own }: Criteria) =>
		discipline === undefined || own === undefined || own === discipline;
	const rules = ruleset === 'OETO' ? rulesOn(date) : [];
	return {
		ruleset,
		date,
		items: rules
			.filter(({ criteria }) => isAbout(criteria))
			.map(
				({ topic, code, paragraph, level, overridable, validFrom, text, criteria, min, max, allowed }) => ({
					topic,
					code,
					source: 'OETO',
					paragraph,
					level,
					overridable,
					validFrom,
					criteria: shownCriteria(criteria),
					min: min ?? null,
					max: max ?? null,
					allowed: allowed === undefined ? null : [...allowed],
					text,
				}),
			),
	};
}

function shownCriteria({ kinds, levels, heightCm, distanceKm, tasks, categories, ...criteria }: Criteria) {
	const range = ([from, to]: Range) => ({ from, to });
	return {
		...criteria,
		...(kinds === undefined ? {} : { kinds: [...kinds] }),
		...(levels === undefined ? {} : { levels: [...levels] }),
		...(heightCm === undefined ? {} : { heightCm: range(heightCm) }),
		...(distanceKm === undefined ? {} : { distanceKm: range(distanceKm) }),
		...(tasks === undefined ? {} : { tasks: [...tasks] }),
		...(categories === undefined ? {} : { categories: [...categories] }),
	};
}
