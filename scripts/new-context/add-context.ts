import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { contexts, databasePortOffset } from '../contexts/contexts.ts';
import { migratedTypes, sourceOf } from '../docs/database-types/database-types.ts';
import { capitalised, type NewContextNames } from './context-names.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const template = fileURLToPath(new URL('template/', import.meta.url));

/** Copies the template with the new names, lists the context, locks the workspace offline, generates its types, and formats. */
export async function addContext(names: NewContextNames): Promise<void> {
	const folder = `services/${names.context}`;
	if (existsSync(join(root, folder))) throw new TypeError(`${folder} already exists.`);
	await copyTemplate(names, join(root, folder)); // 1
	await listContext(names.context); // 2
	run('npm', 'install', '--package-lock-only', '--offline', '--ignore-scripts'); // 3
	await linkWorkspace(`${names.context}-service`, folder);
	for (const [path, text] of await migratedTypes([sourceOf(names.context)])) // 4
		await writeFile(join(root, path), text);
	run(join(root, 'node_modules/.bin/biome'), 'check', '--write', folder, 'contexts.ts'); // 5
}

async function copyTemplate(names: NewContextNames, target: string): Promise<void> {
	const entries = await readdir(template, { recursive: true, withFileTypes: true });
	for (const entry of entries.filter((candidate) => candidate.isFile())) {
		const source = join(entry.parentPath, entry.name);
		const file = join(target, renamed(source.slice(template.length), names));
		const text = renamed(await readFile(source, 'utf8'), names);
		await mkdir(dirname(file), { recursive: true });
		await writeFile(file, entry.name === 'package.json' ? await withLockedVersions(text) : text);
	}
	const description = join(target, 'context.ts');
	const text = await readFile(description, 'utf8');
	await writeFile(description, text.replace('portOffset: 0', `portOffset: ${freePortOffset()}`));
}

/** Replaces the names of the template in all spellings; longer ones first, because they contain the shorter ones. */
function renamed(text: string, { context, record }: NewContextNames): string {
	const article = /^[aeiou]/.test(record) ? 'an' : 'a';
	const pairs = [
		['a specimen', `${article} ${record}`],
		['specimens', context],
		['specimen', record],
	] as const;
	return pairs.reduce(
		(result, [from, to]) =>
			result
				.replaceAll(from, to)
				.replaceAll(capitalised(from), capitalised(to))
				.replaceAll(from.toUpperCase(), to.toUpperCase()),
		text,
	);
}

function freePortOffset(): number {
	const taken = new Set([databasePortOffset, ...contexts.map(({ portOffset }) => portOffset)]);
	let offset = Math.max(...contexts.map(({ portOffset }) => portOffset));
	while (taken.has(offset)) offset++;
	return offset;
}

async function listContext(name: string): Promise<void> {
	const file = join(root, 'contexts.ts');
	const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
	const [comments, exports] = [
		lines.filter((line) => line.startsWith('//')),
		lines.filter((line) => line.startsWith('export')),
	];
	exports.push(`export { context as ${name} } from './services/${name}/context.ts';`);
	await writeFile(file, `${[...comments, ...exports.sort()].join('\n')}\n`);
}

async function linkWorkspace(name: string, folder: string): Promise<void> {
	const scope = join(root, 'node_modules/@paddock');
	if (!existsSync(scope)) return;
	await symlink(`../../${folder}`, join(scope, name));
}

/** The text of a package.json with the versions that the project has installed. */
async function withLockedVersions(text: string): Promise<string> {
	const { packages } = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
		packages: Record<string, { version?: string }>;
	};
	const manifest = JSON.parse(text) as { dependencies: Record<string, string> };
	for (const name of Object.keys(manifest.dependencies)) {
		const version = packages[`node_modules/${name}`]?.version;
		if (version !== undefined) manifest.dependencies[name] = version;
	}
	return `${JSON.stringify(manifest, undefined, '\t')}\n`;
}

/** @throws Error with the stderr of the program if it fails */
function run(program: string, ...args: readonly string[]): void {
	execFileSync(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
}
