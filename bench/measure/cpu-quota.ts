import { existsSync, mkdirSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The CPU controller of control groups, version 1. */
const controller = '/sys/fs/cgroup/cpu';
// The default of container platforms. A shorter one is spent in a few slices, which a thread on the other core lacks.
const periodMicroseconds = 100_000;

/** Whether CPU quotas can be set: needs Linux with control groups of version 1, and root. */
export function hasCpuQuotas(): boolean {
	return existsSync(join(controller, 'cpu.cfs_quota_us')) && process.getuid?.() === 0;
}

/** A group of processes that together get at most a share of one core. */
export interface CpuGroup {
	/** Moves a process with all of its threads into the group. */
	add(pid: number): void;
	/** Removes the group; its processes must have exited. */
	remove(): void;
}

/** @param name with `/` for a group within another, whose quota applies as well; @param cores e.g. 0.25 */
export function openCpuGroup(name: string, cores: number): CpuGroup {
	const directory = join(controller, `paddock-bench-${process.pid}-${name}`);
	mkdirSync(directory);
	writeFileSync(join(directory, 'cpu.cfs_period_us'), String(periodMicroseconds));
	writeFileSync(join(directory, 'cpu.cfs_quota_us'), String(Math.round(cores * periodMicroseconds)));
	return {
		add: (pid) => writeFileSync(join(directory, 'cgroup.procs'), String(pid)),
		remove: () => rmdirSync(directory),
	};
}
