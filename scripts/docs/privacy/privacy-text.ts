import { readFileSync } from 'node:fs';
import type { PersonalTable } from '@paddock/context';
import { type DeclaredPersonalData, personalDataOf } from '../../contexts/context-modules.ts';
import { contexts } from '../../contexts/contexts.ts';

const path = new URL('../../../docs/privacy.md', import.meta.url);
const [begin, end] = ['<!-- begin personal data -->', '<!-- end personal data -->'];

/** docs/privacy.md with the tables of personal data, from the declarations of the contexts. */
export async function privacyText(): Promise<string> {
	const text = readFileSync(path, 'utf8');
	const [from, to] = [text.indexOf(begin), text.indexOf(end)];
	if (from < 0 || to < from) throw new TypeError('docs/privacy.md lacks the marks of the personal data');
	const parts = [];
	for (const context of contexts.filter(({ hasDatabase }) => hasDatabase))
		parts.push(sectionOf(context.name, await personalDataOf(context)));
	return `${text.slice(0, from + begin.length)}\n${parts.join('\n')}${text.slice(to)}`;
}

function sectionOf(name: string, data: DeclaredPersonalData): string {
	const rows = Object.entries(data).flatMap(([table, roles]) =>
		typeof roles === 'string' ? [] : roles.map((role) => rowOf(table, role)),
	);
	const others = Object.entries(data).filter(([, roles]) => typeof roles === 'string');
	return [
		`### ${name}`,
		'| Table | Purpose | Ground | Stored for | Export | Left out of the export | After an erasure |',
		'|---|---|---|---|---|---|---|',
		...rows,
		'',
		`Without personal data: ${others.map(([table, reason]) => `\`${table}\` (${String(reason)})`).join(', ')}.`,
		'',
	].join('\n');
}

function rowOf(table: string, role: PersonalTable<string>): string {
	const exported = [...role.exported, ...Object.keys(role.exportedAs ?? {})];
	const withheld = Object.entries(role.withheld ?? {}).map(([column, reason]) => `\`${column}\`: ${reason}`);
	const cells = [
		`\`${table}\``,
		role.purpose,
		role.ground,
		role.storedFor,
		exported.map((column) => `\`${column}\``).join(' ') || '–',
		withheld.join('; ') || '–',
		[outcomeOf(role), role.kept ?? ''].filter((part) => part !== '').join('. '),
	];
	return `| ${cells.join(' | ')} |`;
}

function outcomeOf({ erasure }: PersonalTable<string>): string {
	if (erasure === 'delete') return 'deleted';
	if (erasure === 'changes') return 'anonymised: the values and reasons of all changes of these records';
	const columns = Object.keys(erasure);
	return columns.length === 0 ? 'kept' : `anonymised: ${columns.map((column) => `\`${column}\``).join(' ')}`;
}
