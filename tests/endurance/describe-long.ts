import { describe } from '@jest/globals';

/**
 * A suite that takes a minute or more, as what it shows takes that long. It runs where the environment says
 * `PADDOCK_LONG_TESTS=on`; otherwise it is skipped under a name that says so.
 */
export function describeLong(
	env: Readonly<Record<string, string | undefined>>,
	name: string,
	suite: () => void,
): void {
	if (env['PADDOCK_LONG_TESTS'] === 'on') describe(name, suite);
	else describe.skip(`${name} (skipped: it is long; PADDOCK_LONG_TESTS=on runs it)`, suite);
}
