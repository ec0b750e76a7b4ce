import { setTimeout as wait } from 'node:timers/promises';
import { type MutualTls, type Registry, serviceAgent } from '@paddock/discovery';
import {
	type FollowedRevocations,
	fetchKeysFrom,
	fetchRevocationsFrom,
	followRevocations,
	openRemoteKeySet,
	type RefreshedKeySet,
} from '@paddock/identity';
import type { Logger } from '@paddock/telemetry';

/** The data of the auth context with which a process verifies tokens. */
export interface AuthKeys {
	readonly keys: RefreshedKeySet;
	/** The tokens that auth has revoked. */
	readonly revocations: FollowedRevocations;
	/**
	 * Resolves when the first keys and the existing revocations have arrived, or after `patienceMs` without them: a
	 * process that accepts requests before it can verify tokens refuses some of them, but one that never starts refuses
	 * all.
	 */
	arrived(patienceMs: number): Promise<void>;
	close(): void;
}

const pollMs = 20;

/** The auth context's public keys and its revocations, fetched from any of its registered instances. */
export function openAuthKeys(deps: {
	registry: Registry;
	tls?: MutualTls | undefined;
	logger: Logger;
	now: () => Date;
}): AuthKeys {
	const auth = deps.registry.watch('auth-service');
	const agent = serviceAgent('auth-service', {}, deps.tls);
	const instanceUrls = () => auth.current().instances.map((instance) => instance.url);
	const keys = openRemoteKeySet({
		fetchKeys: fetchKeysFrom({ instanceUrls, agent }),
		logger: deps.logger,
		now: deps.now,
	});
	const revocations = followRevocations({
		fetchPage: fetchRevocationsFrom({ instanceUrls, agent }),
		logger: deps.logger,
		now: deps.now,
	});
	keys.start();
	revocations.start();
	// The first attempts may run before the registry has responded; fetch at once when it does instead of at the next
	// retry.
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
			// The keys prove that an instance is reachable; only one more attempt, because an older auth has no feed.
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
