import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, expect, test } from '@jest/globals';

const jestBin = createRequire(import.meta.url).resolve('jest/bin/jest');
let folder: string;

beforeEach(async () => {
	folder = await mkdtemp(join(tmpdir(), 'paddock-runtime-'));
	await write('package.json', '{ "type": "module" }');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

async function write(name: string, text: string): Promise<void> {
	await mkdir(dirname(join(folder, name)), { recursive: true });
	await writeFile(join(folder, name), text);
}

interface Results {
	numPassedTests: number;
	testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
}

/** Runs the test files of the folder one after the other in one process. */
async function runJest(): Promise<Results> {
	const report = join(folder, 'report.json');
	const config = {
		rootDir: folder,
		runtime: join(import.meta.dirname, 'runtime.ts'),
		testEnvironment: join(import.meta.dirname, 'environment.ts'),
		transform: {},
		testMatch: ['**/*.test.ts'],
	};
	const options = ['--config', JSON.stringify(config), '--runInBand', '--json', '--outputFile', report];
	// Jest exits with 1 after a failed test; the report has the results.
	await promisify(execFile)(process.execPath, [jestBin, ...options], { cwd: folder }).catch(() => {});
	return JSON.parse(await readFile(report, 'utf8')) as Results;
}

test('files share product modules, but neither test modules nor replaced globals nor fake timers', async () => {
	await write('src/product.ts', 'export const product = { users: 0 };');
	await write('test/bench.ts', 'export const bench = { users: 0 };');
	const file = `import { expect, jest, test } from '@jest/globals';
		import { product } from '../src/product.ts';
		import { bench } from './bench.ts';
		test('begins with what only this file changes', async () => {
			await new Promise((resolve) => setTimeout(resolve, 1));
			expect(typeof globalThis.fetch).toBe('function');
			bench.users += 1;
			expect(bench.users).toBe(1);
			product.users += 1;
			globalThis.fetch = undefined;
			jest.useFakeTimers();
		});
		test('users so far: ' + (product.users + 1), () => {});`;
	await write('test/one.test.ts', file);
	await write('test/two.test.ts', file);
	const { testResults, numPassedTests } = await runJest();
	expect(numPassedTests).toBe(4);
	const titles = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ title }) => title));
	expect(titles).toEqual(expect.arrayContaining(['users so far: 1', 'users so far: 2']));
}, 60_000);

test('failed assertions, timeouts, uncaught exceptions and unhandled rejections fail their test', async () => {
	await write(
		'test/failing.test.ts',
		`import { expect, test } from '@jest/globals';
		test('assertion', () => expect(1).toBe(2));
		test('timeout', () => new Promise(() => {}), 100);
		test('exception', async () => {
			setTimeout(() => { throw new Error('thrown later'); }, 1);
			await new Promise((resolve) => setTimeout(resolve, 50));
		});
		test('rejection', async () => {
			Promise.reject(new Error('rejected later'));
			await new Promise((resolve) => setTimeout(resolve, 50));
		});
		test('passes', () => {});`,
	);
	const { testResults } = await runJest();
	const results = testResults[0]?.assertionResults.map(({ title, status, failureMessages }) => [
		title,
		status,
		failureMessages.join('\n'),
	]);
	expect(results).toEqual([
		['assertion', 'failed', expect.stringContaining('Expected: 2')],
		['timeout', 'failed', expect.stringContaining('Exceeded timeout of ')],
		['exception', 'failed', expect.stringContaining('thrown later')],
		['rejection', 'failed', expect.stringContaining('rejected later')],
		['passes', 'passed', ''],
	]);
}, 60_000);
