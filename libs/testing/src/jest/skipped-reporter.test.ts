import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const jestBin = createRequire(import.meta.url).resolve('jest/bin/jest');
let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'paddock-skipped-'));
	await mkdir(join(folder, 'test'));
	await writeFile(join(folder, 'package.json'), '{ "type": "module" }');
	await write('unskipped', `test('passes', () => {});`);
	await write('wholly', `describeWithPrograms(['no-such-program'], 'a suite', () => twoTests());`);
	await write(
		'partly',
		`test('passes', () => {});
		describeWithPrograms(['sh', 'no-such-program'], 'one', () => twoTests());
		describeWithPrograms(['no-such-program', '/no/such/server'], 'two', () => describe('inner', twoTests));
		describeUnless('needs two moons', 'three', () => test.each([1, 2, 3])('%d', () => {}));
		test.skip('four', () => {});`,
	);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, text: string): Promise<void> {
	const programs = join(import.meta.dirname, '../describe-with-programs.ts');
	const head = `import { describe, test } from '@jest/globals';
		import { describeUnless, describeWithPrograms } from ${JSON.stringify(programs)};
		const twoTests = () => { test('a', () => {}); test('b', () => {}); };`;
	await writeFile(join(folder, 'test', `${name}.test.ts`), `${head}\n${text}`);
}

/** Runs Jest in the folder. @returns the lines behind Jest's own summary */
async function linesAfterRun(...options: string[]): Promise<string[]> {
	const config = {
		rootDir: folder,
		runtime: join(import.meta.dirname, 'runtime.ts'),
		testEnvironment: join(import.meta.dirname, 'environment.ts'),
		reporters: ['default', join(import.meta.dirname, 'skipped-reporter.ts')],
		transform: {},
		testMatch: ['**/*.test.ts'],
	};
	const { CI: _inPipeline, ...env } = process.env;
	const { stderr } = await promisify(execFile)(
		process.execPath,
		[jestBin, '--config', JSON.stringify(config), '--runInBand', ...options],
		{ cwd: folder, env },
	);
	return (
		stderr
			.split(/Ran all test suites.*\n/)[1]
			?.trim()
			.split('\n')
			.map((line) => line.trim()) ?? []
	);
}

// Jest prints nothing at all about a file whose tests are all skipped.
test('a run ends with the skipped tests by reason, of wholly skipped files too', async () => {
	expect(await linesAfterRun()).toEqual([
		'Skipped: 10 tests',
		'needs no-such-program: 4 in test/partly.test.ts, test/wholly.test.ts',
		'needs no-such-program and /no/such/server: 2 in test/partly.test.ts',
		'needs two moons: 3 in test/partly.test.ts',
		'no reason given: 1 in test/partly.test.ts',
		'On Debian, scripts/install-test-tools installs the programs.',
	]);
}, 60_000);

test('it lists the selected tests only, by file and by name, and nothing if none is skipped', async () => {
	expect(await linesAfterRun('test/wholly')).toEqual([
		'Skipped: 2 tests',
		'needs no-such-program: 2 in test/wholly.test.ts',
		'On Debian, scripts/install-test-tools installs the programs.',
	]);
	expect(await linesAfterRun('-t', 'three')).toEqual([
		'Skipped: 3 tests',
		'needs two moons: 3 in test/partly.test.ts',
		'On Debian, scripts/install-test-tools installs the programs.',
	]);
	expect(await linesAfterRun('test/unskipped')).toEqual(['']);
}, 60_000);

test('it says that whole systems were left out', async () => {
	const leftOut = 'Whole systems were not tested: `npm run test:all` runs their tests too.';
	expect(await linesAfterRun('test/unskipped', '--testPathIgnorePatterns=/tests/')).toEqual([leftOut]);
}, 60_000);
