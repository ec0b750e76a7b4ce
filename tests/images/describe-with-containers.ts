import { afterAll, describe, test } from '@jest/globals';
import type { ContainerEngine } from './container-engine.ts';

/**
 * A suite that needs containers, skipped with the reason in its name where they can't run: that takes privileges that
 * few machines give, so it is no failure with CI=true either.
 */
export function describeWithContainers(
	opened: ContainerEngine | string,
	name: string,
	suite: (engine: ContainerEngine) => void,
): void {
	if (typeof opened === 'string') {
		test.skip(`${name} (skipped: containers can't run here: ${opened})`, () => {});
		return;
	}
	describe(name, () => {
		suite(opened);
		// Last, as these hooks run in the order of their registration.
		afterAll(() => opened.close(), 60_000);
	});
}
