import type { Registry, ServiceSnapshot, Watch } from '@paddock/discovery';

interface PrimaryRegistry {
	readonly registry: Registry;
	/** Called with each report of the primary process. */
	readonly report: (service: string, snapshot: ServiceSnapshot) => void;
}

interface Followed {
	/** Undefined before the first report. */
	snapshot: ServiceSnapshot | undefined;
	readonly listeners: Set<(snapshot: ServiceSnapshot) => void>;
}

const unknown: ServiceSnapshot = {
	instances: [],
	stale: false,
	unlisted: false,
	lastResponseAt: undefined,
	rejected: 0,
};

/**
 * The registry of a worker: the primary process follows the services for all workers and reports their instances, so
 * that the gateway has one set of connections to Consul, and a replaced worker knows the instances although Consul is lost.
 */
export function primaryRegistry(watchService: (service: string) => void): PrimaryRegistry {
	const services = new Map<string, Followed>();
	const follow = (service: string): Followed => {
		const known = services.get(service);
		if (known !== undefined) return known;
		const followed: Followed = { snapshot: undefined, listeners: new Set() };
		services.set(service, followed);
		watchService(service);
		return followed;
	};
	const watch = (service: string): Watch => {
		const followed = follow(service);
		const own = new Set<() => void>();
		return {
			current: () => followed.snapshot ?? unknown,
			responded: () => followed.snapshot !== undefined,
			onChange: (listener) => {
				// Wrapped so that two observers can subscribe the same function.
				const called = (snapshot: ServiceSnapshot) => listener(snapshot);
				followed.listeners.add(called);
				const end = () => void followed.listeners.delete(called);
				own.add(end);
				return end;
			},
			stop: () => {
				for (const end of own) end();
			},
		};
	};
	return {
		report: (service, snapshot) => {
			const followed = services.get(service);
			if (followed === undefined) return;
			followed.snapshot = snapshot;
			for (const listener of followed.listeners) listener(snapshot);
		},
		registry: {
			kind: 'static',
			watch,
			// The primary process registers the gateway, once.
			register: () => ({ registered: () => true, deregister: async () => undefined }),
			status: () => ({
				kind: 'static',
				reachable: true,
				leader: undefined,
				lastResponseAt: undefined,
				lastError: undefined,
			}),
			close: async () => undefined,
		},
	};
}
