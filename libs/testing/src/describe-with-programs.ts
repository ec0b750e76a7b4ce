import { accessSync, constants } from 'node:fs';
import { delimiter, resolve } from 'node:path';
import { describe, test } from '@jest/globals';
import { skippedName } from './skip-reason.ts';

/** A suite that is skipped for a reason, if there is one, with the reason in its name; every run ends with a list of these. */
export function describeUnless(reason: string | undefined, name: string, suite: () => void): void {
	if (reason === undefined) describe(name, suite);
	else describe.skip(skippedName(name, reason), suite);
}

/**
 * A suite that needs programs on the PATH, or elsewhere by their whole path. If one is missing, the suite is skipped with
 * the reason in its name; with CI=true it fails, so that a pipeline can't pass without it.
 */
export function describeWithPrograms(programs: readonly string[], name: string, suite: () => void): void {
	const missing = programs.filter((program) => !isOnPath(program));
	const { CI } = process.env;
	if (missing.length === 0) describe(name, suite);
	else if (CI === 'true') {
		test(name, () => {
			throw new Error(`${missing.join(' and ')} not found; with CI=true no suite may be skipped.`);
		});
	} else describeUnless(`needs ${missing.join(' and ')}`, name, suite);
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
