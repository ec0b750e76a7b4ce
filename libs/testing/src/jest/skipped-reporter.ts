import { relative } from 'node:path';
import type { AggregatedResult, Config } from '@jest/reporters';
import { skipReason } from '../skip-reason.ts';

/** A skipped test, as Jest reports it. */
interface Skipped {
	readonly file: string;
	readonly reason: string;
}

interface TestContext {
	readonly config: Pick<Config.ProjectConfig, 'testPathIgnorePatterns'>;
}

/**
 * Ends each run with what it did not run. Of skipped tests, Jest prints neither those of a file of which all are skipped nor
 * the reasons of others.
 */
export default class SkippedReporter {
	readonly #rootDir: string;
	readonly #pattern: RegExp | undefined;

	constructor({
		rootDir,
		testNamePattern: pattern,
	}: Pick<Config.GlobalConfig, 'rootDir' | 'testNamePattern'>) {
		this.#rootDir = rootDir;
		this.#pattern = pattern === undefined || pattern === '' ? undefined : new RegExp(pattern, 'i');
	}

	onRunComplete(contexts: ReadonlySet<TestContext>, results: Pick<AggregatedResult, 'testResults'>): void {
		const lines = [...reportLines(this.#skipped(results)), ...leftOut(contexts)];
		if (lines.length === 0) return;
		// Jest calls its own summary last, but in the same turn of the event loop.
		setImmediate(() => process.stderr.write(`\n${lines.join('\n')}\n`));
	}

	#skipped({ testResults }: Pick<AggregatedResult, 'testResults'>): Skipped[] {
		return testResults.flatMap(({ testFilePath, testResults: tests }) =>
			tests
				// Jest reports tests that were not selected by their name as skipped, too.
				.filter(({ status, fullName }) => status === 'pending' && this.#pattern?.test(fullName) !== false)
				.map(({ ancestorTitles, title }) => ({
					file: relative(this.#rootDir, testFilePath),
					reason:
						[...ancestorTitles, title].map(skipReason).find((one) => one !== undefined) ?? 'no reason given',
				})),
		);
	}
}

/** A line if whole systems are left out, see jest.config.js. */
function leftOut(contexts: ReadonlySet<TestContext>): readonly string[] {
	const ignored = [...contexts].flatMap(({ config }) => config.testPathIgnorePatterns);
	return ignored.some((pattern) => pattern.includes('/tests/'))
		? ['Whole systems were not tested: `npm run test:all` runs their tests too.']
		: [];
}

/** One line for each reason, with its files; none without skipped tests. */
function reportLines(skipped: readonly Skipped[]): readonly string[] {
	if (skipped.length === 0) return [];
	const byReason = Object.entries(Object.groupBy(skipped, ({ reason }) => reason));
	const lines = byReason
		.toSorted(([one], [other]) => (one < other ? -1 : 1))
		.map(([reason, tests = []]) => {
			const files = [...new Set(tests.map(({ file }) => file))].toSorted();
			return `  ${reason}: ${tests.length} in ${files.join(', ')}`;
		});
	return [
		`Skipped: ${skipped.length} ${skipped.length === 1 ? 'test' : 'tests'}`,
		...lines,
		...(byReason.some(([reason]) => reason.startsWith('needs '))
			? ['On Debian, scripts/install-test-tools installs the programs.']
			: []),
	];
}
