import { readdirSync, readFileSync } from 'node:fs';

/** The descendants of a process, the children first; empty if it has exited. Linux only. */
export function descendantsOf(pid: number): number[] {
	const children = threadsOf(pid)
		.flatMap((thread) => readOrEmpty(`/proc/${pid}/task/${thread}/children`).split(' '))
		.filter((text) => text.trim() !== '')
		.map(Number);
	return children.flatMap((child) => [child, ...descendantsOf(child)]);
}

/** The thread ids of a process; empty if it has exited. Linux only. */
export function threadsOf(pid: number): string[] {
	try {
		return readdirSync(`/proc/${pid}/task`);
	} catch {
		return []; // The process has exited.
	}
}

/** A file of a process below /proc; empty if the process has exited. */
export function readOrEmpty(path: string): string {
	try {
		return readFileSync(path, 'utf8');
	} catch {
		return '';
	}
}
