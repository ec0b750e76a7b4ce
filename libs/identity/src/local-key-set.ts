import type { RefreshedKeySet } from './key-set.ts';
import type { JsonWebKeySet } from './public-jwk.ts';
import { createRefreshedKeySet } from './refreshed-key-set.ts';
import type { RemoteKeySetDeps } from './remote-key-set.ts';

export interface LocalKeySetDeps extends Omit<RemoteKeySetDeps, 'fetchKeys'> {
	/** The keys that this process publishes, e.g. the rows of its database. */
	readonly source: () => Promise<JsonWebKeySet>;
}

/**
 * The auth context's keys inside the auth context. Another instance may rotate them, so they are refreshed like remote
 * ones, but more often: reading them is cheap here.
 */
export function createLocalKeySet({ source, ...deps }: LocalKeySetDeps): RefreshedKeySet {
	return createRefreshedKeySet({
		random: Math.random,
		refreshEveryMs: 5_000,
		unknownKidCooldownMs: 1_000,
		timeoutMs: 2_000,
		...deps,
		fetchKeys: source,
	});
}
