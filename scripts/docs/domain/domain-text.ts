import { readFileSync } from 'node:fs';
import { rulesOn, ruleTopics } from '../../../services/events/src/rules/catalogue.ts';
import { edition2026, type Range, type Rule } from '../../../services/events/src/rules/rule.ts';
import { withParts } from '../with-parts.ts';

/** Tables of each context that hold its domain, with their relations in Mermaid. */
const models: Readonly<
	Record<string, { readonly tables: readonly string[]; readonly relations: readonly string[] }>
> = {
	auth: {
		tables: ['Users', 'MemberLinks', 'Sessions', 'RefreshTokens', 'Devices', 'Revocations'],
		relations: [
			'Users ||--o{ MemberLinks : "acts for members by"',
			'Users ||--o{ Sessions : "signs in"',
			'Sessions ||--o{ RefreshTokens : rotates',
			'Users ||--o{ Devices : knows',
		],
	},
	members: {
		tables: ['Members', 'Clubs'],
		relations: ['Clubs ||--o{ Members : "home club of"'],
	},
	masterdata: {
		tables: ['Countries', 'States', 'AgeClasses', 'Venues', 'Arenas'],
		relations: ['Countries ||--o{ States : has', 'States ||--o{ Venues : has', 'Venues ||--o{ Arenas : has'],
	},
	horses: {
		tables: ['Horses', 'OwnershipPeriods', 'OwnershipShares', 'OwnershipTransfers', 'DeathDecisions'],
		relations: [
			'Horses ||--|{ OwnershipPeriods : "is owned in"',
			'OwnershipPeriods ||--|{ OwnershipShares : "is shared by"',
			'Horses ||--o{ OwnershipTransfers : "waits for"',
			'Horses |o--o{ Horses : "sire or dam of"',
			'Horses ||--o{ DeathDecisions : "is reported in"',
		],
	},
	events: {
		tables: ['Events', 'Competitions', 'Entries', 'Starts', 'LedgerLines', 'EntrySwaps', 'EntryActs'],
		relations: [
			'Events ||--o{ Competitions : offers',
			'Events ||--o{ Entries : receives',
			'Entries ||--|{ Starts : "is for"',
			'Entries ||--o{ EntryActs : "is done to"',
			'Competitions ||--o{ Starts : has',
			'Entries ||--o{ LedgerLines : owes',
			'Entries ||--o{ EntrySwaps : "was passed on in"',
			'Competitions |o--o{ LedgerLines : "start fee of"',
		],
	},
};

/** docs/domain.md with its generated parts: the data models and the tables of rules. */
export function domainText(): string {
	const parts: Record<string, string> = { rules: ruleTables() };
	for (const [context, { tables, relations }] of Object.entries(models))
		parts[`model ${context}`] = modelText(context, tables, relations);
	return withParts('docs/domain.md', parts);
}

function modelText(context: string, tables: readonly string[], relations: readonly string[]): string {
	const schema = readFileSync(
		new URL(`../../../services/${context}/src/database-schema.generated.ts`, import.meta.url),
		'utf8',
	);
	const entities = tables.map((table) => {
		const body = new RegExp(`export interface ${table} \\{\\n([^}]*)\\}`).exec(schema)?.[1];
		if (body === undefined) throw new TypeError(`${context} has no table ${table}`);
		const columns = body.trim().split('\n').map(columnText);
		return `\t${table} {\n${columns.map((column) => `\t\t${column}`).join('\n')}\n\t}`;
	});
	const lines = [
		'```mermaid',
		'erDiagram',
		...relations.map((relation) => `\t${relation}`),
		...entities,
		'```',
	];
	return lines.join('\n');
}

function columnText(line: string): string {
	const [, name = '', type = ''] = /^\s*(\w+): (.*);$/.exec(line) ?? [];
	const plain = /(string|number|boolean|Date|unknown)(\[\])?/.exec(type);
	const kinds: Readonly<Record<string, string>> = { Date: 'instant', unknown: 'json' };
	const word = plain?.[1] ?? 'json';
	const isNullable = type.includes('null') ? ' "may be null"' : '';
	return `${kinds[word] ?? word}${plain?.[2] === undefined ? '' : '_list'} ${name}${isNullable}`;
}

const headings: Readonly<Record<(typeof ruleTopics)[number], string>> = {
	ENTRY: 'Entries',
	HORSE_AGE: 'Ages of horses, in years',
	CLASS: 'Classes by category of the event',
	EVENT: 'Announcements',
	START_ORDER: 'Starting order',
};

/** The rules of the edition in force on 1 January 2026, and rows of later editions, as Markdown tables. */
function ruleTables(): string {
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
