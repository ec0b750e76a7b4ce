import type { RegistryStatus } from './registry.ts';

/** Keeps the outcome of every call to Consul, for `Registry.status()`. */
export interface ConsulContact {
	/** A valid answer to a call of this kind. */
	succeeded(kind: string): void;
	/** A failed call; `answered` tells a useless answer from none. */
	failed(kind: string, failure: { message: string; answered: boolean }): void;
	/** The answer to the question for the leader; undefined where there is none. */
	leaderIs(leader: string | undefined): void;
	status(): RegistryStatus;
}

/** Not reachable until the first answer; unreachable forgets the leader. */
export function createConsulContact(deps: { now: () => Date }): ConsulContact {
	let reachable = false;
	let leader: string | undefined;
	let lastAnswerAt: Date | undefined;
	const errors = new Map<string, string>();
	return {
		succeeded: (kind) => {
			reachable = true;
			lastAnswerAt = deps.now();
			errors.delete(kind);
		},
		failed: (kind, { message, answered }) => {
			reachable = answered;
			if (!answered) leader = undefined;
			// Deleted first, so that the newest failure is the last of the map.
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
			lastAnswerAt,
			lastError: [...errors.values()].at(-1),
		}),
	};
}
