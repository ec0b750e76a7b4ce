import type { Instance, ServiceSnapshot } from './registry.ts';

/** What one service's watch remembers; see `createLastKnown`. */
export interface LastKnown {
	snapshot(): ServiceSnapshot;
	/** True from the first answer on. */
	answered(): boolean;
	/** Takes a valid answer: its usable instances, sorted, and how many of its entries were refused. */
	accept(instances: readonly Instance[], rejected: number): void;
	/** Takes note that the registry gave no valid answer. */
	fail(): void;
}

/**
 * Decides which instances of a service are in use, given what the registry says or fails to say.
 *
 * A registry that can't be asked says nothing about the services, and an agent that was restarted without its data
 * answers 200 with an empty list until the services have registered again. In both cases the last known instances
 * stay, marked stale, for `keepLastKnownMs`; the breakers find out which of them are really gone. An empty answer is
 * believed at once only where nothing is known, and otherwise when it has been repeated for that long.
 */
export function createLastKnown(deps: { now: () => Date; keepLastKnownMs: number }): LastKnown {
	let instances: readonly Instance[] = [];
	let state: 'fresh' | 'empty' | 'failed' = 'fresh';
	let vouchedAt: Date | undefined;
	let answeredAt: Date | undefined;
	let rejected = 0;

	function dropExpired(): void {
		if (state === 'fresh' || instances.length === 0 || vouchedAt === undefined) return;
		if (deps.now().getTime() - vouchedAt.getTime() <= deps.keepLastKnownMs) return;
		instances = [];
		if (state === 'failed') return;
		state = 'fresh';
		vouchedAt = answeredAt;
	}

	return {
		snapshot: () => {
			dropExpired();
			return { instances, stale: state !== 'fresh', lastAnswerAt: vouchedAt, rejected };
		},
		answered: () => answeredAt !== undefined,
		accept: (offered, refused) => {
			rejected = refused;
			answeredAt = deps.now();
			const suspect = offered.length === 0 && instances.length > 0;
			state = suspect ? 'empty' : 'fresh';
			if (suspect) return dropExpired();
			vouchedAt = answeredAt;
			if (!sameInstances(instances, offered)) instances = offered;
		},
		fail: () => {
			state = 'failed';
			dropExpired();
		},
	};
}

/** Whether two snapshots mean the same for whoever balances over the instances. */
export function sameSnapshot(a: ServiceSnapshot, b: ServiceSnapshot): boolean {
	return a.stale === b.stale && sameInstances(a.instances, b.instances);
}

function sameInstances(a: readonly Instance[], b: readonly Instance[]): boolean {
	return a.length === b.length && a.every(({ id, url }, i) => id === b[i]?.id && url === b[i]?.url);
}
