import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { nodeArguments } from '../../scripts/start/node-command.ts';
import { warmCompileCache } from '../../scripts/start/warm-compile-cache.ts';

jest.setTimeout(60_000);

/** Prints the imported word and whether the process has loaded the type stripper. */
const main = `import { word } from './word.ts';
const loaded: string[] = (process as { moduleLoadList?: string[] }).moduleLoadList ?? [];
console.log(word, loaded.some((name) => name.includes('amaro')) ? 'stripped' : 'from the cache');
`;
let folder: string;
let cache: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'paddock-code-'));
	cache = join(folder, 'cache');
	await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
	await writeFile(join(folder, 'main.ts'), main);
	await writeFile(join(folder, 'word.ts'), `export const word: string = 'whoa';`);
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function run(): Promise<string> {
	const { stdout } = await promisify(execFile)(
		process.execPath,
		[...nodeArguments, join(folder, 'main.ts')],
		{ env: { NODE_COMPILE_CACHE: cache } },
	);
	return stdout.trim();
}

async function warm(mains = ['main.ts'], environment = {}): Promise<void> {
	const paths = mains.map((name) => join(folder, name));
	await warmCompileCache(paths, { NODE_COMPILE_CACHE: cache, ...environment }, new AbortController().signal);
}

describe('a compile cache warmed before the programs start', () => {
	test('lets programs run without the type stripper from their first run', async () => {
		await warm();
		expect(await run()).toBe('whoa from the cache');
		await rm(cache, { recursive: true });
		expect(await run()).toBe('whoa stripped');
	});

	test('is filled without running the programs', async () => {
		const trace = join(folder, 'ran');
		await writeFile(
			join(folder, 'word.ts'),
			`import { writeFileSync } from 'node:fs';
			writeFileSync(${JSON.stringify(trace)}, '');
			export const word: string = 'whoa';`,
		);
		await warm();
		expect(await readdir(folder)).not.toContain('ran');
		await run();
		expect(await readdir(folder)).toContain('ran');
	});

	test('never supplies outdated code, and accepts changes', async () => {
		await warm();
		await writeFile(join(folder, 'word.ts'), `export const word: string = 'trot';`);
		await warm();
		expect(await run()).toBe('trot from the cache');
		await writeFile(join(folder, 'word.ts'), `export const word: string = 'halt';`);
		expect(await run()).toBe('halt stripped');
	});

	test('is filled again only after a file has changed', async () => {
		await warm();
		for (const entry of await readdir(cache))
			if (entry !== 'compiled.json') await rm(join(cache, entry), { recursive: true });
		await warm();
		expect(await readdir(cache)).toEqual(['compiled.json']);
		await utimes(join(folder, 'word.ts'), new Date(), new Date());
		await warm();
		expect(await run()).toBe('whoa from the cache');
	});

	test('may be unwritable or lack invalid code: other programs run', async () => {
		await writeFile(join(folder, 'broken.ts'), 'const = ;');
		await warm(['broken.ts', 'main.ts']);
		await rm(cache, { recursive: true, force: true });
		await writeFile(cache, 'a file where the folder should be');
		await warm();
		expect(await run()).toBe('whoa stripped');
	});

	test('is aborted at once when the start is stopped', async () => {
		const stopping = new AbortController();
		const warming = warmCompileCache(
			[join(folder, 'main.ts')],
			{ NODE_COMPILE_CACHE: cache },
			stopping.signal,
		);
		stopping.abort();
		await warming;
		expect(await run()).toBe('whoa stripped');
	});
});
