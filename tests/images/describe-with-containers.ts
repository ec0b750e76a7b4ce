import { afterAll, describe, test } from '@jest/globals';
import { skippedName } from '../../libs/testing/src/skip-reason.ts';
import type { ContainerEngine } from './container-engine.ts';

/**
 * A suite that needs containers, skipped with the reason in its name where they can't run or where no packages are available for
 * the image: both depend on the machine, so neither is a failure, even with CI=true.
 */
export function describeWithContainers(
	opened: ContainerEngine | string,
	name: string,
	suite: (engine: ContainerEngine) => void,
): void {
	if (typeof opened === 'string') {
		test.skip(skippedName(name, opened), () => {});
		return;
	}
	describe(name, () => {
		suite(opened);
		// Last, as these hooks run in the order of their registration.
		afterAll(() => opened.close(), 200_000);
	});
}
