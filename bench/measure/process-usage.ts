import { descendantsOf, readOrEmpty, threadsOf } from '../../libs/testing/src/process-tree.ts';

/** Total CPU time of a process, its threads and its descendants in microseconds. Linux only. */
export function cpuMicroseconds(pid: number): number {
	return [pid, ...descendantsOf(pid)].map(ownCpuMicroseconds).reduce((sum, each) => sum + each, 0);
}

/** Total CPU time of a process and its threads, without its descendants. */
export function ownCpuMicroseconds(pid: number): number {
	const nanoseconds = threadsOf(pid).map((thread) =>
		Number(readOrEmpty(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0] ?? 0),
	);
	return nanoseconds.reduce((sum, each) => sum + each, 0) / 1_000;
}

/** Resident memory of a process and its descendants in bytes. Linux only. */
export function residentBytes(pid: number): number {
	const kibibytes = [pid, ...descendantsOf(pid)].map((process) => {
		const text = readOrEmpty(`/proc/${process}/status`);
		return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0);
	});
	return kibibytes.reduce((sum, each) => sum + each, 0) * 1_024;
}

/** The descendants of a process with this name. */
export function descendantsNamed(pid: number, name: string): number[] {
	return descendantsOf(pid).filter((each) => readOrEmpty(`/proc/${each}/comm`).trim() === name);
}
