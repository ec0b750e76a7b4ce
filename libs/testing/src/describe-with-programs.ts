import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { describe, test } from '@jest/globals';

/**
 * A suite that needs these programs on the PATH. Without one it is skipped under a name that says so; with CI=true it
 * fails instead, so that a pipeline can't pass by leaving it out.
 */
export function describeWithPrograms(programs: readonly string[], name: string, suite: () => void): void {
	const missing = programs.filter((program) => !isOnPath(program));
	if (missing.length === 0) {
		describe(name, suite);
		return;
	}
	const what = missing.join(' and ');
	const { CI } = process.env;
	if (CI === 'true') {
		test(name, () => {
			throw new Error(`There is no ${what} on the PATH, and with CI=true nothing may be skipped.`);
		});
		return;
	}
	describe.skip(`${name} (skipped: there is no ${what} on the PATH)`, suite);
}

function isOnPath(program: string): boolean {
	const { PATH = '' } = process.env;
	const folders = PATH.split(delimiter).filter((folder) => folder !== '');
	return folders.some((folder) => {
		try {
			accessSync(join(folder, program), constants.X_OK);
			return true;
		} catch {
			return false;
		}
	});
}
