import { readdirSync, readFileSync } from 'node:fs';

/** The processor time that a process, its threads and its children have had so far, in microseconds. Linux only. */
export function cpuMicroseconds(pid: number): number {
	return [pid, ...descendantsOf(pid)].map(ownCpuMicroseconds).reduce((sum, each) => sum + each, 0);
}

/** The same without its children. */
export function ownCpuMicroseconds(pid: number): number {
	const nanoseconds = threadsOf(pid).map((thread) =>
		Number(readOrEmpty(`/proc/${pid}/task/${thread}/schedstat`).split(' ')[0] ?? 0),
	);
	return nanoseconds.reduce((sum, each) => sum + each, 0) / 1_000;
}

/** Resident memory of a process and its children in bytes. Linux only. */
export function residentBytes(pid: number): number {
	const kibibytes = [pid, ...descendantsOf(pid)].map((process) => {
		const text = readOrEmpty(`/proc/${process}/status`);
		return Number(/^VmRSS:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0);
	});
	return kibibytes.reduce((sum, each) => sum + each, 0) * 1_024;
}

/** The processes of this name among a process's children and theirs. */
export function descendantsNamed(pid: number, name: string): number[] {
	return descendantsOf(pid).filter((each) => readOrEmpty(`/proc/${each}/comm`).trim() === name);
}

function threadsOf(pid: number): string[] {
	try {
		return readdirSync(`/proc/${pid}/task`);
	} catch {
		return []; // Ended meanwhile.
	}
}

function descendantsOf(pid: number): number[] {
	const children = threadsOf(pid)
		.flatMap((thread) => readOrEmpty(`/proc/${pid}/task/${thread}/children`).split(' '))
		.filter((text) => text.trim() !== '')
		.map(Number);
	return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

function readOrEmpty(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return ''; // Ended meanwhile.
	}
}
