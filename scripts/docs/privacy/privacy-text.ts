import type { PersonalTable } from '@paddock/context';
import { type DeclaredPersonalData, personalDataOf } from '../../contexts/context-modules.ts';
import { contexts } from '../../contexts/contexts.ts';
import { withParts } from '../with-parts.ts';

/** docs/privacy.md with the tables of personal data, from the declarations of the contexts. */
export async function privacyText(): Promise<string> {
	const parts = [];
	for (const context of contexts.filter(({ hasDatabase }) => hasDatabase))
		parts.push(sectionOf(context.name, await personalDataOf(context)));
	return withParts('docs/privacy.md', { 'personal data': parts.join('\n').trimEnd() });
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
