import { readFile } from 'node:fs/promises';

export interface ResidentMemory {
	/** Pages that several processes share, such as the program itself, counted once. */
	sharedOnceMb: number;
	/** The sum of what `ps` says of each: what is shared is counted for each process. */
	plainSumMb: number;
	/** A line for each process, the largest first. */
	lines: readonly string[];
}

/** Of these processes together, as the kernel counts it. One that has ended meanwhile has none. */
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
		if (isOfEnded(error)) return undefined;
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

function isOfEnded(error: unknown): boolean {
	return error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'ESRCH');
}
