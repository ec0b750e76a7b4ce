import { describeUnless } from '../../libs/testing/src/describe-with-programs.ts';

/**
 * A suite that takes a minute or more. It runs with `PADDOCK_LONG_TESTS=on`; otherwise it is skipped with the reason in
 * its name.
 */
export function describeLong(
	env: Readonly<Record<string, string | undefined>>,
	name: string,
	suite: () => void,
): void {
	const runs = env['PADDOCK_LONG_TESTS'] === 'on';
	describeUnless(runs ? undefined : 'long; PADDOCK_LONG_TESTS=on runs it', name, suite);
}
