import { appendFileSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

/** Processor time in seconds of this process and of its children that have exited. NaN where there is no /proc. */
export function processorSeconds(): number {
	try {
		const stat = readFileSync('/proc/self/stat', 'utf8');
		// proc(5): 14 to 17 are user and system time, of the process and of its children; the name may contain blanks.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0) / ticksPerSecond;
	} catch {
		return Number.NaN;
	}
}

/** Keeps the processor time of a test file for the report at the end of the run. */
export function recordProcessorTime(file: string, seconds: number): void {
	const { PADDOCK_TEST_TIMES: path } = process.env;
	if (path !== undefined && !Number.isNaN(seconds))
		appendFileSync(path, `${JSON.stringify([file, seconds])}\n`);
}

/** Processor time in seconds by test file; empty if none was recorded. */
export function recordedProcessorTimes(): ReadonlyMap<string, number> {
	const { PADDOCK_TEST_TIMES: path } = process.env;
	if (path === undefined) return new Map();
	const lines = readFileSync(path, 'utf8').split('\n').filter(Boolean);
	return new Map(lines.map((line) => JSON.parse(line) as [string, number]));
}
