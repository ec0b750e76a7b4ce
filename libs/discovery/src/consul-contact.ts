import type { RegistryStatus } from './registry.ts';

/** Records the outcome of every call to Consul, for `Registry.status()`. */
export interface ConsulContact {
	/** Records a valid response to a call of this kind. */
	succeeded(kind: string): void;
	/** Records a failed call; `responded` is true for an unusable response, false for no response. */
	failed(kind: string, failure: { message: string; responded: boolean }): void;
	/** Records the leader from a leader query; undefined if there is none. */
	leaderIs(leader: string | undefined): void;
	status(): RegistryStatus;
}

/** Unreachable until the first response; the leader is cleared while Consul is unreachable. */
export function createConsulContact(deps: { now: () => Date }): ConsulContact {
	let reachable = false;
	let leader: string | undefined;
	let lastResponseAt: Date | undefined;
	const errors = new Map<string, string>();
	return {
		succeeded: (kind) => {
			reachable = true;
			lastResponseAt = deps.now();
			errors.delete(kind);
		},
		failed: (kind, { message, responded }) => {
			reachable = responded;
			if (!responded) leader = undefined;
			// Deleted first so that the newest failure is the last entry of the map.
			errors.delete(kind);
			errors.set(kind, message);
		},
		leaderIs: (address) => {
			leader = address;
		},
		status: () => ({
			kind: 'consul',
			reachable,
			leader,
			lastResponseAt,
			lastError: [...errors.values()].at(-1),
		}),
	};
}
