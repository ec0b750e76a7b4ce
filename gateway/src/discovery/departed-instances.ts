import type { Instance } from '@paddock/discovery';
import type { Upstream } from './instance-table.ts';

/** The part of an upstream that outlives a short absence of its instance from the registry. */
export type InstanceState = Pick<Upstream, 'breaker' | 'bulkhead'>;

export interface DepartedInstances {
	/** Keeps the state of an instance that has left the registry, for a limited time. */
	keep(upstream: Upstream): void;
	/** The state of an instance that is back at the same address; from then on it belongs to the caller. */
	take(service: string, instance: Instance): InstanceState | undefined;
	/** Closes all breakers that are kept. */
	close(): void;
}

interface Entry {
	readonly state: InstanceState;
	readonly timer: NodeJS.Timeout;
}

/**
 * Keeps breakers of departed instances in memory: a registration that flaps would otherwise close an open breaker each
 * time. Past `max` the oldest is closed first.
 */
export function createDepartedInstances(settings: { retainMs: number; max: number }): DepartedInstances {
	// In the order of departure.
	const entries = new Map<string, Entry>();
	const remove = (key: string): InstanceState | undefined => {
		const entry = entries.get(key);
		clearTimeout(entry?.timer);
		entries.delete(key);
		return entry?.state;
	};
	const forget = (key: string): void => remove(key)?.breaker.close();
	return {
		keep: ({ service, instance, breaker, bulkhead }) => {
			const key = keyOf(service, instance);
			forget(key);
			const timer = setTimeout(forget, settings.retainMs, key);
			timer.unref();
			entries.set(key, { state: { breaker, bulkhead }, timer });
			const [oldest] = entries.keys();
			if (entries.size > settings.max && oldest !== undefined) forget(oldest);
		},
		take: (service, instance) => remove(keyOf(service, instance)),
		close: () => {
			for (const key of [...entries.keys()]) forget(key);
		},
	};
}

/** The same id at another address is another instance. */
function keyOf(service: string, { id, url }: Instance): string {
	return JSON.stringify([service, id, url]);
}
