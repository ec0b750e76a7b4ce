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
		afterAll(() => opened.close(), 60_000);
		suite(opened);
	});
}
