import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { cpuQuota } from './workers-setting.ts';

let root: string;
afterEach(() => rmSync(root, { recursive: true }));

/** The quota with these files. */
function quotaWith(files: Record<string, string>): number | undefined {
	root = mkdtempSync(join(tmpdir(), 'paddock-quota-'));
	for (const [name, text] of Object.entries(files)) {
		mkdirSync(dirname(join(root, name)), { recursive: true });
		writeFileSync(join(root, name), `${text}\n`);
	}
	return cpuQuota(root);
}

const group = 'sys/fs/cgroup';
const v1 = (path: string, quota: number) => ({
	[`${group}/cpu${path}/cpu.cfs_quota_us`]: String(quota),
	[`${group}/cpu${path}/cpu.cfs_period_us`]: '100000',
});

test.each<[string, number | undefined, Record<string, string>]>([
	['a container with cgroup v2', 0.5, { 'proc/self/cgroup': '0::/', [`${group}/cpu.max`]: '50000 100000' }],
	['no limit', undefined, { 'proc/self/cgroup': '0::/', [`${group}/cpu.max`]: 'max 100000' }],
	[
		'a unit of systemd within a slice that has less',
		1.5,
		{
			'proc/self/cgroup': '0::/system.slice/paddock.service',
			[`${group}/system.slice/cpu.max`]: '150000 100000',
			[`${group}/system.slice/paddock.service/cpu.max`]: '300000 100000',
		},
	],
	[
		'cgroup v1',
		0.25,
		{ 'proc/self/cgroup': '5:memory:/a\n4:cpu,cpuacct:/a/b\n0::/', ...v1('/a/b', -1), ...v1('/a', 25_000) },
	],
	[
		'a container with cgroup v1 that sees the path of the host',
		2,
		{ 'proc/self/cgroup': '4:cpu:/docker/0123', ...v1('', 200_000) },
	],
	['a system without cgroups', undefined, { 'proc/self/status': '' }],
])('%s: %s cores', (_, cores, files) => {
	expect(quotaWith(files)).toBe(cores);
});
