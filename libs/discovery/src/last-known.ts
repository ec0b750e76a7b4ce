import type { KnownInstances } from './instance-store.ts';
import { type Instance, type ServiceSnapshot, sameInstances } from './registry.ts';

/**
 * Decides which instances of a service are in use. While the registry fails, and after a sudden empty list (an agent that
 * restarted without its data), the last known ones are retained, marked stale, for `keepLastKnownMs`.
 */
export function createLastKnown(deps: {
	now: () => Date;
	keepLastKnownMs: number;
	restored?: KnownInstances | undefined;
}) {
	let instances: readonly Instance[] = deps.restored?.instances ?? [];
	let state: 'fresh' | 'empty' | 'failed' = deps.restored === undefined ? 'fresh' : 'failed';
	let vouchedAt = deps.restored?.confirmedAt;
	let failed = false;
	let respondedAt: Date | undefined;
	let rejected = 0;

	function dropExpired(): void {
		if (state === 'fresh' || instances.length === 0 || vouchedAt === undefined) return;
		if (deps.now().getTime() - vouchedAt.getTime() <= deps.keepLastKnownMs) return;
		instances = [];
		if (state === 'failed') return;
		state = 'fresh';
		vouchedAt = respondedAt;
	}

	return {
		snapshot: () => {
			dropExpired();
			return {
				instances,
				stale: state !== 'fresh',
				unlisted: state === 'empty',
				lastResponseAt: vouchedAt,
				rejected,
			};
		},
		// Restored instances are the result once the registry has failed; it could still respond before that.
		/** True after the first response, and if the registry has failed with instances restored. */
		responded: () => respondedAt !== undefined || (failed && deps.restored !== undefined),
		/** Records a valid response: its usable instances, sorted, and the number of refused entries. */
		accept: (offered: readonly Instance[], refused: number): void => {
			rejected = refused;
			respondedAt = deps.now();
			const suspect = offered.length === 0 && instances.length > 0;
			state = suspect ? 'empty' : 'fresh';
			if (suspect) {
				dropExpired();
				return;
			}
			vouchedAt = respondedAt;
			if (!sameInstances(instances, offered)) instances = offered;
		},
		/** Records that the registry returned no valid response. */
		fail: (): void => {
			state = 'failed';
			failed = true;
			dropExpired();
		},
	};
}

export function sameSnapshot(a: ServiceSnapshot, b: ServiceSnapshot): boolean {
	return a.stale === b.stale && sameInstances(a.instances, b.instances);
}
