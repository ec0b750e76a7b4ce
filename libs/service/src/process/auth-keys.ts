import { setTimeout as wait } from 'node:timers/promises';
import { type MutualTls, type Registry, serviceAgent } from '@paddock/discovery';
import { fetchKeysFrom, fetchRevocationsFrom, followRevocations, openRemoteKeySet } from '@paddock/identity';
import type { Logger } from '@paddock/telemetry';

/** The data of the auth context with which a process verifies tokens. */
export type AuthKeys = ReturnType<typeof openAuthKeys>;

const pollMs = 20;

/** The auth context's public keys and its revocations, fetched from any of its registered instances. */
export function openAuthKeys(deps: {
	registry: Registry;
	tls?: MutualTls | undefined;
	logger: Logger;
	now: () => Date;
}) {
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
		/** The tokens that auth has revoked. */
		revocations,
		/** Resolves when the first keys and the existing revocations have arrived, or after `patienceMs` without them. */
		arrived: async (patienceMs: number): Promise<void> => {
			const endMs = performance.now() + patienceMs;
			while (!keys.ready() && !closed && performance.now() < endMs) await wait(pollMs);
			// The keys prove that an instance is reachable; only one more attempt, because an older auth has no feed.
			if (keys.ready() && !revocations.ready()) await revocations.refresh();
		},
		close: (): void => {
			closed = true;
			unsubscribe();
			auth.stop();
			keys.close();
			revocations.close();
		},
	};
}
