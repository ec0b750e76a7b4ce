import { setTimeout as wait } from 'node:timers/promises';
import { type Registry, usableLookup } from '@paddock/discovery';
import {
	createRemoteKeySet,
	type FollowedRevocations,
	fetchKeysFrom,
	fetchRevocationsFrom,
	followRevocations,
	type RefreshedKeySet,
} from '@paddock/identity';
import type { Logger } from '@paddock/telemetry';

export interface AuthKeys {
	readonly keys: RefreshedKeySet;
	/** The tokens that auth has revoked. */
	readonly revocations: FollowedRevocations;
	/**
	 * Resolves when the first keys and the revocations so far have arrived, and after `patienceMs` even if they aren't: a process that takes requests
	 * before it can judge a token turns people away, but one that never takes any turns everybody away.
	 */
	arrived(patienceMs: number): Promise<void>;
	close(): void;
}

const pollMs = 20;

/** The auth context's public keys and its revocations, fetched from whichever of its instances the registry knows. */
export function openAuthKeys(deps: { registry: Registry; logger: Logger; now: () => Date }): AuthKeys {
	const auth = deps.registry.watch('auth-service');
	const instanceUrls = () => auth.current().instances.map((instance) => instance.url);
	const keys = createRemoteKeySet({
		fetchKeys: fetchKeysFrom({ instanceUrls, lookup: usableLookup }),
		logger: deps.logger,
		now: deps.now,
	});
	const revocations = followRevocations({
		fetchPage: fetchRevocationsFrom({ instanceUrls, lookup: usableLookup }),
		logger: deps.logger,
		now: deps.now,
	});
	keys.start();
	revocations.start();
	// The first attempts may come before the registry has answered; there is no need to wait for the next one.
	const unsubscribe = auth.onChange(() => {
		if (!keys.ready()) void keys.refresh();
	});
	let closed = false;
	return {
		keys,
		revocations,
		arrived: async (patienceMs) => {
			const endMs = performance.now() + patienceMs;
			while (!keys.ready() && !closed && performance.now() < endMs) await wait(pollMs);
			// With the keys there is an instance to call; one more attempt, as an auth without the feed has none.
			if (keys.ready() && !revocations.ready()) await revocations.refresh();
		},
		close: () => {
			closed = true;
			unsubscribe();
			auth.stop();
			keys.close();
			revocations.close();
		},
	};
}
