import { accessSync, constants } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { describe, test } from '@jest/globals';

/**
 * A suite that needs programs on the PATH, or elsewhere by their whole path. If one is missing, the suite is skipped with
 * the reason in its name; with CI=true it fails, so that a pipeline can't pass without it.
 */
export function describeWithPrograms(programs: readonly string[], name: string, suite: () => void): void {
	const missing = programs.filter((program) => !isOnPath(program));
	if (missing.length === 0) {
		describe(name, suite);
		return;
	}
	const names = missing.join(' and ');
	const { CI } = process.env;
	if (CI === 'true') {
		test(name, () => {
			throw new Error(`${names} not found on the PATH; with CI=true no suite may be skipped.`);
		});
		return;
	}
	describe.skip(`${name} (skipped: ${names} not found on the PATH)`, suite);
}

function isOnPath(program: string): boolean {
	const { PATH = '' } = process.env;
	const folders = PATH.split(delimiter).filter((folder) => folder !== '');
	return folders.some((folder) => {
		try {
			accessSync(resolve(folder, program), constants.X_OK);
			return true;
		} catch {
			return false;
		}
	});
}
