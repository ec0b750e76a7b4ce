import type { Instance, Registry, ServiceSnapshot } from '@paddock/discovery';

export interface SettableRegistry extends Registry {
	/** The number of observers that have not stopped. */
	watches(service: string): number;
	/**
	 * Replaces the instances of a service; stale = the registry is unreachable and these are the last known ones; unlisted
	 * = it responds and lists none.
	 */
	set(service: string, urls: readonly string[], options?: { stale?: boolean; unlisted?: boolean }): void;
}

/** A registry whose content the test sets, effective at once. */
export function createSettableRegistry(
	initial: Readonly<Record<string, readonly string[]>>,
): SettableRegistry {
	const snapshots = new Map<string, ServiceSnapshot>();
	const listeners = new Map<string, Set<(snapshot: ServiceSnapshot) => void>>();
	const watching = new Map<string, number>();
	const count = (service: string, by: number) => watching.set(service, (watching.get(service) ?? 0) + by);
	let unreachable = false;
	const snapshotOf = (service: string): ServiceSnapshot =>
		snapshots.get(service) ?? {
			instances: [],
			stale: false,
			unlisted: false,
			lastResponseAt: new Date(),
			rejected: 0,
		};
	const registry: SettableRegistry = {
		kind: 'static',
		set: (service, urls, options = {}) => {
			unreachable = options.stale === true;
			const unlisted = options.unlisted === true;
			const snapshot = {
				instances: urls.map(instanceAt),
				stale: unreachable || unlisted,
				unlisted,
				lastResponseAt: new Date(),
				rejected: 0,
			};
			snapshots.set(service, snapshot);
			for (const listener of listeners.get(service) ?? []) listener(snapshot);
		},
		watches: (service) => watching.get(service) ?? 0,
		watch: (service) => {
			count(service, 1);
			const own = new Set<(snapshot: ServiceSnapshot) => void>();
			const all = listeners.get(service) ?? new Set();
			listeners.set(service, all);
			return {
				current: () => snapshotOf(service),
				responded: () => true,
				onChange: (listener) => {
					all.add(listener);
					own.add(listener);
					return () => all.delete(listener);
				},
				stop: () => {
					count(service, -1);
					for (const listener of own) all.delete(listener);
				},
			};
		},
		register: () => ({ deregister: async () => {}, registered: () => true }),
		status: () => ({
			kind: 'static',
			reachable: !unreachable,
			leader: undefined,
			lastResponseAt: new Date(),
			lastError: unreachable ? 'lost' : undefined,
		}),
		close: async () => {},
	};
	for (const [service, urls] of Object.entries(initial)) registry.set(service, urls);
	return registry;
}

function instanceAt(url: string): Instance {
	const { hostname, port } = new URL(url);
	return { id: `${hostname}:${port}`, address: hostname, port: Number(port), url };
}
