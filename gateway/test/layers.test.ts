import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

const root = fileURLToPath(new URL('../src', import.meta.url));

// From low to high. A folder imports only lower ones and the shared files.
const layers = [
	'contexts',
	'resilience',
	'forwarder',
	'upstream',
	'edge',
	'proxy',
	'cache',
	'authentication',
	'health',
	'operations',
	'portal',
	'workers',
];
const shared = [
	'config',
	'cpu-quota',
	'exchange',
	'failures',
	'headers',
	'metrics',
	'pipeline',
	'workers-setting',
];

const layerOf = (file: string): number => {
	const folder = dirname(relative(root, file));
	if (folder !== '.') return layers.indexOf(folder);
	return shared.includes(relative(root, file).replace(/\.ts$/, '')) ? 0 : layers.length;
};

async function importsOf(file: string): Promise<string[]> {
	const text = await readFile(file, 'utf8');
	const specifiers = [...text.matchAll(/from '(\.[^']+)'/g)].map(([, specifier = '']) => specifier);
	return specifiers.map((specifier) => resolve(dirname(file), specifier));
}

test('a folder of the gateway imports no higher one, so folders have no import cycle', async () => {
	const names = await readdir(root, { recursive: true });
	const files = names.filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
	const unknown = files.filter((name) => name.includes('/') && !layers.includes(name.split('/')[0] ?? ''));
	expect(unknown).toEqual([]);
	const upward: string[] = [];
	for (const file of files.map((name) => join(root, name)))
		for (const imported of await importsOf(file))
			if (layerOf(imported) > layerOf(file))
				upward.push(`${relative(root, file)} imports ${relative(root, imported)}`);
	expect(upward).toEqual([]);
});
