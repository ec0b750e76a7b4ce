import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../src', import.meta.url));

// What every folder may import: the parts that are no step and no page.
const ground = ['config', 'contexts', 'exchange', 'metrics'];

// Static, dynamic and re-exporting imports of relative files.
const relativeSpecifier = /(?:\bfrom|\bimport)\s*\(?\s*['"](\.[^'"]+)['"]/g;

interface Import {
	readonly from: string;
	readonly to: string;
	/** `file imports file`, for the failure. */
	readonly text: string;
}

const folderOf = (file: string): string => dirname(relative(root, file));

/** The imports of one folder's files from another folder. */
async function foldersImports(): Promise<{ folders: ReadonlySet<string>; imports: readonly Import[] }> {
	const names = await readdir(root, { recursive: true });
	const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
	const imports = await Promise.all(
		files.map(async (name) => {
			const file = join(root, name);
			const text = await readFile(file, 'utf8');
			return [...text.matchAll(relativeSpecifier)].map(([, specifier = '']) => {
				const imported = resolve(dirname(file), specifier);
				const [from, to] = [folderOf(file), folderOf(imported)];
				return { from, to, text: `${name} imports ${relative(root, imported)}` };
			});
		}),
	);
	return {
		folders: new Set(files.map((name) => dirname(name))),
		imports: imports.flat().filter(({ from, to }) => from !== to),
	};
}

const { folders, imports } = await foldersImports();

/** The folders, lowest layer first: each imports only folders of lower layers. Folders in or above a cycle have none. */
function layers(): readonly (readonly string[])[] {
	const found: string[][] = [];
	let rest = [...folders];
	for (;;) {
		const blocked = new Set(imports.filter(({ to }) => rest.includes(to)).map(({ from }) => from));
		const layer = rest.filter((folder) => !blocked.has(folder));
		if (layer.length === 0) return found;
		found.push(layer);
		rest = rest.filter((folder) => blocked.has(folder));
	}
}

test('the folders of the gateway have no import cycle', () => {
	const layered = new Set(layers().flat());
	const unlayered = imports.filter(({ from, to }) => !layered.has(from) && !layered.has(to));
	expect(unlayered.map(({ text }) => text)).toEqual([]);
});

test('they are at most twenty, on at most ten layers', () => {
	expect(folders.size).toBeLessThanOrEqual(20);
	expect(layers().length).toBeLessThanOrEqual(10);
});

test('config, contexts, exchange and metrics import only each other', () => {
	const upward = imports.filter(({ from, to }) => ground.includes(from) && !ground.includes(to));
	expect(upward.map(({ text }) => text)).toEqual([]);
});

test('the root holds the start and the list of steps, which no folder imports', async () => {
	const entries = await readdir(root, { withFileTypes: true });
	expect(entries.filter((entry) => entry.isFile()).map(({ name }) => name)).toEqual([
		'main.ts',
		'request-pipeline.ts',
	]);
	expect(imports.filter(({ to }) => to === '.').map(({ text }) => text)).toEqual([]);
});
