import { rulesOn, ruleTopics } from '../../../services/events/src/rules/catalogue.ts';
import { edition2026, type Range, type Rule } from '../../../services/events/src/rules/rule.ts';

const headings: Readonly<Record<(typeof ruleTopics)[number], string>> = {
	ENTRY: 'Entries',
	HORSE_AGE: 'Ages of horses, in years',
	CLASS: 'Classes by category of the event',
	EVENT: 'Announcements',
	START_ORDER: 'Starting order',
};

/** The rules of the edition in force on 1 January 2026, and rows of later editions, as Markdown tables. */
export function ruleTables(): string {
	return ruleTopics
		.map((topic) => {
			const rows = rulesOn(edition2026).filter((rule) => rule.topic === topic);
			return [
				`### ${headings[topic]}`,
				'',
				'| § | Code | Competitions | Bounds | Level | Override | Rule |',
				'|---|---|---|---|---|---|---|',
				...rows.map(rowText),
			].join('\n');
		})
		.join('\n\n');
}

function rowText({ paragraph, code, level, overridable, text, ...rule }: Rule): string {
	const cells = [
		paragraph,
		`\`${code}\``,
		criteriaText(rule.criteria),
		boundsText(rule),
		level.toLowerCase(),
		level === 'ERROR' && overridable ? 'yes' : 'no',
		text,
	];
	return `| ${cells.join(' | ')} |`;
}

function criteriaText({
	discipline,
	kinds,
	levels,
	heightCm,
	distanceKm,
	tasks,
	ponyOnly,
	categories,
}: Rule['criteria']) {
	const range = (unit: string, value: Range | undefined) =>
		value === undefined ? undefined : `${value[0]}–${value[1] >= 999 ? '' : value[1]} ${unit}`;
	const parts = [
		discipline,
		kinds?.join(', '),
		ponyOnly === true ? 'ponies' : undefined,
		categories?.join(', '),
		levels?.join(', '),
		range('cm', heightCm),
		range('km', distanceKm),
		tasks?.join(', '),
	];
	return parts.filter((part) => part !== undefined).join('; ') || 'all';
}

function boundsText({
	min,
	max,
	allowed,
}: Omit<Rule, 'code' | 'paragraph' | 'level' | 'overridable' | 'text'>): string {
	if (allowed !== undefined) return allowed.join(', ');
	if (min === undefined) return max === undefined ? '–' : `≤ ${max}`;
	return max === undefined ? `≥ ${min}` : `${min}–${max}`;
}
