import { appendFileSync, readFileSync } from 'node:fs';

const ticksPerSecond = 100;

let uncountedSeconds = 0;

/** Processor time in seconds of this process and of its children that have exited. NaN where there is no /proc. */
export function processorSeconds(): number {
	const { own, ofChildren } = processorTimes('self');
	return own + ofChildren + uncountedSeconds;
}

/** Counts processes that are about to exit without a parent that waits for them, and would be missing. Linux only. */
export function countProcessorTime(pids: readonly number[]): void {
	for (const pid of pids) {
		const { own, ofChildren } = processorTimes(pid);
		if (!Number.isNaN(own)) uncountedSeconds += own + ofChildren;
	}
}

/** NaN of a process that has exited, and where there is no /proc. */
function processorTimes(pid: number | 'self'): { readonly own: number; readonly ofChildren: number } {
	try {
		const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// proc(5): 14 to 17 are user and system time, of the process and of its children; the name may contain blanks.
		const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
		const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = fields.slice(11, 15).map(Number);
		return {
			own: (user + system) / ticksPerSecond,
			ofChildren: (childrenUser + childrenSystem) / ticksPerSecond,
		};
	} catch {
		return { own: Number.NaN, ofChildren: Number.NaN };
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
