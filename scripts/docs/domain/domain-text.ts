import { readFileSync } from 'node:fs';
import { ruleTables } from './rule-tables.ts';

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

const path = new URL('../../../docs/domain.md', import.meta.url);

/** docs/domain.md with its generated parts: the data models and the tables of rules. */
export function domainText(): string {
	const parts: Record<string, string> = { rules: ruleTables() };
	for (const [context, { tables, relations }] of Object.entries(models))
		parts[`model ${context}`] = modelText(context, tables, relations);
	let text = readFileSync(path, 'utf8');
	for (const [name, part] of Object.entries(parts)) text = withPart(text, name, part);
	return text;
}

/** Replaces the lines between the marks of a part. @throws TypeError without the marks */
function withPart(text: string, name: string, part: string): string {
	const [begin, end] = [`<!-- begin ${name} -->`, `<!-- end ${name} -->`];
	const [from, to] = [text.indexOf(begin), text.indexOf(end)];
	if (from < 0 || to < from) throw new TypeError(`docs/domain.md lacks the marks of "${name}"`);
	return `${text.slice(0, from + begin.length)}\n${part}\n${text.slice(to)}`;
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
