import type { Change } from './schema-changes.ts';

const unreleased = '## Unreleased\n';

const headings: Readonly<Record<Change['kind'], string>> = {
	breaking: 'Breaking changes of the API',
	added: 'Additions to the API',
	deprecated: 'Deprecated in the API',
};

/** The changelog with a released version. @throws Error if it has no section of unreleased changes */
export function releasedChangelog(
	changelog: string,
	{ version, day, changes }: { version: string; day: string; changes: readonly Change[] },
): string {
	const [before, after] = changelog.split(unreleased);
	if (before === undefined || after === undefined)
		throw new Error('CHANGELOG.md has no section "Unreleased".');
	const next = after.search(/^## /m);
	const own = (next === -1 ? after : after.slice(0, next)).trimEnd();
	const older = next === -1 ? '' : `\n${after.slice(next)}`;
	return `${before}${unreleased}\n## ${version} (${day})\n${own}\n${apiText(changes)}${older}`;
}

function apiText(changes: readonly Change[]): string {
	return Object.entries(headings)
		.map(([kind, heading]) => [heading, changes.filter((change) => change.kind === kind)] as const)
		.filter(([, found]) => found.length > 0)
		.map(([heading, found]) => `\n### ${heading}\n${found.map(({ text }) => `- ${text}\n`).join('')}`)
		.join('');
}
