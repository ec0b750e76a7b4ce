import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from '@jest/globals';

/** A file system of its own. */
export interface Tmpfs {
	readonly path: string;
	remove(): void;
}

/** Mounts a file system of this size, e.g. `1m`, that every account may use. @throws Error without the right to mount */
export function mountTmpfs(size: string): Tmpfs {
	const path = mkdtempSync(join(tmpdir(), 'paddock-tmpfs-'));
	execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0777`, 'tmpfs', path], { stdio: 'pipe' });
	return {
		path,
		remove: () => {
			// Lazily: processes of the test may still have files open.
			execFileSync('umount', ['--lazy', path]);
			rmSync(path, { recursive: true, force: true });
		},
	};
}

/**
 * A suite that fills file systems. Without the right to mount one, it is skipped with the reason in its name; with CI=true
 * it fails.
 */
export function describeOnTmpfs(name: string, suite: () => void): void {
	if (canMount()) {
		describe(name, suite);
		return;
	}
	const { CI } = process.env;
	if (CI === 'true') {
		test(name, () => {
			throw new Error('no right to mount a file system; with CI=true no suite may be skipped.');
		});
		return;
	}
	describe.skip(`${name} (skipped: no right to mount a file system)`, suite);
}

function canMount(): boolean {
	try {
		mountTmpfs('64k').remove();
		return true;
	} catch {
		return false;
	}
}
