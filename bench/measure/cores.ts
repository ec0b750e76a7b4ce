import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** Where processes run: what is measured has a core of its own, everything else shares the other. */
export interface Cores {
	/** False where the machine can't keep them apart; figures then say less. */
	readonly apart: boolean;
	/** The command that starts a process on the core of what is measured. */
	measured(command: readonly string[]): readonly string[];
}

/** Whether a program can be started by its name. */
export function isInstalled(program: string): boolean {
	return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** Puts this process, and with it whatever it starts, on the first core; `measured` leads to the second. */
export function keepCoresApart(): Cores {
	if (availableParallelism() < 2 || !isInstalled('taskset')) {
		return { apart: false, measured: (command) => command };
	}
	execFileSync('taskset', ['-a', '-p', '-c', '0', String(process.pid)]);
	return { apart: true, measured: (command) => ['taskset', '-c', '1', ...command] };
}
