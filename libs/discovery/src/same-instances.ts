import type { Instance } from './registry.ts';

/** Whether both lists contain the same instances in the same order. */
export function sameInstances(a: readonly Instance[], b: readonly Instance[]): boolean {
	return a.length === b.length && a.every(({ id, url }, i) => id === b[i]?.id && url === b[i]?.url);
}
