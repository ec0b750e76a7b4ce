import { setTimeout as wait } from 'node:timers/promises';
import { type Registry, usableLookup } from '@paddock/discovery';
import { createRemoteKeySet, fetchKeysFrom, type RefreshedKeySet } from '@paddock/identity';
import type { Logger } from '@paddock/telemetry';

export interface AuthKeys {
	readonly keys: RefreshedKeySet;
	/**
	 * Resolves when the first keys are there, and after `patienceMs` even if they aren't: a process that takes requests
	 * before it can judge a token turns people away, but one that never takes any turns everybody away.
	 */
	arrived(patienceMs: number): Promise<void>;
	close(): void;
}

const pollMs = 20;

/** The auth context's public keys, fetched from whichever of its instances the registry knows. */
export function openAuthKeys(deps: { registry: Registry; logger: Logger; now: () => Date }): AuthKeys {
	const auth = deps.registry.watch('auth-service');
	const keys = createRemoteKeySet({
		fetchKeys: fetchKeysFrom({
			instanceUrls: () => auth.current().instances.map((instance) => instance.url),
			lookup: usableLookup,
		}),
		logger: deps.logger,
		now: deps.now,
	});
	keys.start();
	// The first attempts may come before the registry has answered; there is no need to wait for the next one.
	const unsubscribe = auth.onChange(() => {
		if (!keys.ready()) void keys.refresh();
	});
	let closed = false;
	return {
		keys,
		arrived: async (patienceMs) => {
			const endMs = performance.now() + patienceMs;
			while (!keys.ready() && !closed && performance.now() < endMs) await wait(pollMs);
		},
		close: () => {
			closed = true;
			unsubscribe();
			auth.stop();
			keys.close();
		},
	};
}
