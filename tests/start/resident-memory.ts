import { readFile } from 'node:fs/promises';

export interface ResidentMemory {
	/** Sum with shared pages, e.g. of the program, counted once. */
	sharedOnceMb: number;
	/** Sum of the resident set sizes, with shared pages counted for each process. */
	plainSumMb: number;
	/** One line per process, the largest first. */
	lines: readonly string[];
}

/** Resident memory of processes, as counted by the kernel. Exited processes are skipped. */
export async function residentMemory(pids: readonly number[]): Promise<ResidentMemory> {
	const processes = (await Promise.all(pids.map(memoryOf))).filter((memory) => memory !== undefined);
	processes.sort((a, b) => b.proportionalKb - a.proportionalKb);
	const sumMb = (sizes: number[]) => Math.round(sizes.reduce((sum, kb) => sum + kb, 0) / 1024);
	return {
		sharedOnceMb: sumMb(processes.map(({ proportionalKb }) => proportionalKb)),
		plainSumMb: sumMb(processes.map(({ residentKb }) => residentKb)),
		lines: processes.map(
			({ command, residentKb, proportionalKb }) =>
				`${Math.round(proportionalKb / 1024)} MB (${Math.round(residentKb / 1024)}) ${command}`,
		),
	};
}

// https://www.kernel.org/doc/html/latest/filesystems/proc.html: Pss divides each page by the number of its users.
async function memoryOf(pid: number) {
	const rollup = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch((error: unknown) => {
		if (isProcessExited(error)) return undefined;
		throw error;
	});
	if (rollup === undefined) return undefined;
	const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
	const kb = (name: string) => Number(new RegExp(`^${name}:\\s+(\\d+) kB$`, 'm').exec(rollup)?.[1]);
	return {
		command: command.replaceAll('\0', ' ').split('\n', 1)[0]?.slice(0, 100),
		residentKb: kb('Rss'),
		proportionalKb: kb('Pss'),
	};
}

function isProcessExited(error: unknown): boolean {
	return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
}
