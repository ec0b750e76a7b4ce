import { describe } from '@jest/globals';

/**
 * A suite that takes a minute or more. It runs with `PADDOCK_LONG_TESTS=on`; otherwise it is skipped with the reason in
 * its name.
 */
export function describeLong(
	env: Readonly<Record<string, string | undefined>>,
	name: string,
	suite: () => void,
): void {
	if (env['PADDOCK_LONG_TESTS'] === 'on') describe(name, suite);
	else describe.skip(`${name} (skipped: long; PADDOCK_LONG_TESTS=on runs it)`, suite);
}
