import type { RefreshedKeySet } from './key-set.ts';
import { createRefreshedKeySet, type RefreshedKeySetDeps } from './refreshed-key-set.ts';

type Timing = 'random' | 'refreshEveryMs' | 'unknownKidCooldownMs' | 'timeoutMs';

export type RemoteKeySetDeps = Omit<RefreshedKeySetDeps, Timing> & Partial<Pick<RefreshedKeySetDeps, Timing>>;

/**
 * The auth context's keys in every other process: fetched each minute. `fetchKeys` is injected because the address
 * comes from discovery; see `fetchKeysFrom`.
 */
export function createRemoteKeySet(deps: RemoteKeySetDeps): RefreshedKeySet {
	return createRefreshedKeySet({
		random: Math.random,
		refreshEveryMs: 60_000,
		unknownKidCooldownMs: 10_000,
		timeoutMs: 2_000,
		...deps,
	});
}
