import { execFileSync, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';

/** CPU cores of a run: the measured process has a dedicated core, all other processes share another. */
export interface Cores {
	/** False if the machine can't separate them; the figures are then less precise. */
	readonly areSeparate: boolean;
	/** The command that starts a process on the dedicated core. */
	measured(command: readonly string[]): readonly string[];
}

/** Whether a program can be started by its name. */
export function isInstalled(program: string): boolean {
	return spawnSync('sh', ['-c', `command -v ${program}`]).status === 0;
}

/** All processes share all cores. */
export const oneSetOfCores: Cores = {
	areSeparate: false,
	measured: (command) => command,
};

/** Assigns this process and its children to the first core; `measured` assigns a command to the second. */
export function assignCores(): Cores {
	if (availableParallelism() < 2 || !isInstalled('taskset')) return oneSetOfCores;
	execFileSync('taskset', ['-a', '-p', '-c', '0', String(process.pid)]);
	return {
		areSeparate: true,
		measured: (command) => ['taskset', '-c', '1', ...command],
	};
}
