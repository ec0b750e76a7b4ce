import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';

const workersMax = 64;
const message = `must be auto or a whole number from 1 to ${workersMax}`;

export const workersSetting = z
	.string()
	.regex(/^(?:auto|\d{1,2})$/, message)
	.transform((text) => (text === 'auto' ? availableCores() : Number(text)))
	.refine((workers) => workers >= 1 && workers <= workersMax, message)
	.default(1)
	.describe(
		'Number of worker processes that serve PORT, each on one core; `auto` = one per available core, within the CPU quota of a container. 1 = a single process without workers.',
	);

function availableCores(): number {
	const quota = Math.floor(cpuQuota() ?? workersMax);
	return Math.max(1, Math.min(availableParallelism(), quota, workersMax));
}

/**
 * The CPU quota of this process in cores: the lowest of its cgroup and those above it; undefined without one.
 * `availableParallelism` ignores quotas below one core, and with cgroup v1 all where cpu is a hierarchy of its own.
 * @param root the root of the file system
 */
export function cpuQuota(root = '/'): number | undefined {
	const read = (...path: string[]): string => {
		try {
			return readFileSync(join(root, ...path), 'utf8');
		} catch {
			// Not Linux, or a group without this controller.
			return '';
		}
	};
	const quotas = read('proc/self/cgroup')
		.split('\n')
		.flatMap((line) => {
			// `hierarchy-ID:controllers:path`, with cgroup v2 without controllers: cgroups(7).
			const [, controllers, path = '/'] = /^\d+:([^:]*):(\/.*)$/.exec(line) ?? [];
			const groups = [path, ...parentsOf(path)];
			if (controllers === '') return groups.map((group) => read('sys/fs/cgroup', group, 'cpu.max'));
			if (!controllers?.split(',').includes('cpu')) return [];
			const setting = (group: string, name: string) => read('sys/fs/cgroup/cpu', group, name);
			return groups.map(
				(group) => `${setting(group, 'cpu.cfs_quota_us')} ${setting(group, 'cpu.cfs_period_us')}`,
			);
		})
		.flatMap(coresOf);
	return quotas.length === 0 ? undefined : Math.min(...quotas);
}

/** In a container the path may be that of the host, but only the root is mounted. */
function parentsOf(path: string): string[] {
	const parent = dirname(path);
	return parent === path ? [] : [parent, ...parentsOf(parent)];
}

/** @param text quota and period; `max` or -1 is no quota */
function coresOf(text: string): number[] {
	const [, quota, period] = /^(\d+)\s+([1-9]\d*)/.exec(text) ?? [];
	return quota === undefined ? [] : [Number(quota) / Number(period)];
}
