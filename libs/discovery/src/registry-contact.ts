import type { Logger } from '@paddock/telemetry';
import type { IsForbidden } from './check-entries.ts';
import type { InstanceStore } from './instance-store.ts';
import type { RegistryStatus } from './registry.ts';

/** Records the outcome of every call to the registry, for `Registry.status()`. */
export type RegistryContact = ReturnType<typeof createRegistryContact>;

/** Unreachable until the first response; the leader is cleared while the registry is unreachable. */
export function createRegistryContact(deps: { kind: RegistryStatus['kind']; now: () => Date }) {
	let reachable = false;
	let leader: string | undefined;
	let lastResponseAt: Date | undefined;
	const errors = new Map<string, string>();
	return {
		succeeded: (kind: string): void => {
			reachable = true;
			lastResponseAt = deps.now();
			errors.delete(kind);
		},
		/** Records a failed call; `responded` is true for an unusable response, false for no response. */
		failed: (kind: string, { message, responded }: { message: string; responded: boolean }): void => {
			reachable = responded;
			if (!responded) leader = undefined;
			// Deleted first so that the newest failure is the last entry of the map.
			errors.delete(kind);
			errors.set(kind, message);
		},
		/** Records the leader from a leader query; undefined if there is none. */
		leaderIs: (address: string | undefined): void => {
			leader = address;
		},
		status: (): RegistryStatus => ({
			kind: deps.kind,
			reachable,
			leader,
			lastResponseAt,
			lastError: [...errors.values()].at(-1),
		}),
	};
}

export interface RegistryDeps<Settings> {
	logger: Logger;
	now: () => Date;
	/** Returns a number in [0, 1) for the jitter of the back-off. */
	random?: () => number;
	/** Addresses that must never be called, e.g. the caller's own; canonical, see `checkAddress`. */
	isForbidden?: IsForbidden;
	settings?: Partial<Settings>;
	/** Keeps the last known instances for the next start; closed with the registry. */
	store?: InstanceStore | undefined;
}
