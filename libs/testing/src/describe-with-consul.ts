import { describeWithPrograms } from './describe-with-programs.ts';

/** A suite that needs a `consul` on the PATH. */
export function describeWithConsul(name: string, suite: () => void): void {
	describeWithPrograms(['consul'], name, suite);
}
