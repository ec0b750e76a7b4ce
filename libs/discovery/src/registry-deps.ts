import type { Logger } from '@paddock/telemetry';
import type { IsForbidden } from './check-entries.ts';
import type { InstanceStore } from './instance-store.ts';

/** What every registry that finds instances at run time needs. */
export interface RegistryDeps<Settings> {
	logger: Logger;
	now: () => Date;
	/** Returns a number in [0, 1) for the jitter of the back-off. */
	random?: () => number;
	/**
	 * Addresses that must never be called, such as the caller's own. Receives canonical addresses, see `checkAddress`.
	 */
	isForbidden?: IsForbidden;
	settings?: Partial<Settings>;
	/** Keeps the last known instances for the next start; closed with the registry. */
	store?: InstanceStore | undefined;
}
