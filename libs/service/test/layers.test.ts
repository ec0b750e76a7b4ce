import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../src', import.meta.url));

/** The folders, lowest layer first. */
const layers = [['fields', 'http'], ['settings', 'routes'], ['openapi'], ['process']];
const layerOf = (folder: string) => layers.findIndex((layer) => layer.includes(folder));

test('each folder imports only folders of lower layers', async () => {
	const files = (await readdir(root, { recursive: true })).filter((name) => /(?<!\.test)\.ts$/.test(name));
	const folders = new Set(files.map((name) => dirname(name)));
	expect([...folders].sort()).toEqual(['.', ...layers.flat()].sort());
	const upward: string[] = [];
	for (const name of files.filter((file) => dirname(file) !== '.')) {
		const text = await readFile(join(root, name), 'utf8');
		for (const [, specifier = ''] of text.matchAll(/\bfrom '(\.[^']+)'/g)) {
			const imported = normalize(join(dirname(name), specifier));
			const [from, to] = [dirname(name), dirname(imported)];
			if (from !== to && (layerOf(to) === -1 || layerOf(to) >= layerOf(from)))
				upward.push(`${name} imports ${imported}`);
		}
	}
	expect(upward).toEqual([]);
});
