import { relative } from 'node:path';
import type { AggregatedResult, Config } from '@jest/reporters';
import { recordedProcessorTimes } from './processor-time.ts';

const shownMax = 20;

/**
 * Ends a run of many files with the slowest ones, by processor time: the duration of a file depends on the files beside it,
 * and on two cores the processor time of all files is what a run takes.
 */
export default class SlowestReporter {
	readonly #rootDir: string;

	constructor({ rootDir }: Pick<Config.GlobalConfig, 'rootDir'>) {
		this.#rootDir = rootDir;
	}

	onRunComplete(_contexts: unknown, { testResults }: Pick<AggregatedResult, 'testResults'>): void {
		if (testResults.length <= shownMax) return;
		const processor = recordedProcessorTimes();
		const lines = slowestLines(
			testResults.map(({ testFilePath, perfStats: { start, end } }) => ({
				file: relative(this.#rootDir, testFilePath),
				durationS: (end - start) / 1_000,
				processorS: processor.get(testFilePath),
			})),
		);
		// Jest calls its own summary last, but in the same turn of the event loop.
		setImmediate(() => process.stderr.write(`\n${lines.join('\n')}\n`));
	}
}

interface FileTimes {
	readonly file: string;
	readonly durationS: number;
	/** Undefined where it can't be read. */
	readonly processorS: number | undefined;
}

export function slowestLines(files: readonly FileTimes[]): readonly string[] {
	const cost = ({ processorS, durationS }: FileTimes) => processorS ?? durationS;
	const sum = files.reduce((seconds, { processorS = 0 }) => seconds + processorS, 0);
	const shown = (seconds: number | undefined) => (seconds?.toFixed(1) ?? '').padStart(6);
	return [
		`Slowest files, with seconds of processor time (${sum.toFixed(0)} of all files) and of duration:`,
		...files
			.toSorted((one, other) => cost(other) - cost(one))
			.slice(0, shownMax)
			.map(({ file, durationS, processorS }) => `${shown(processorS)}${shown(durationS)}  ${file}`),
	];
}
