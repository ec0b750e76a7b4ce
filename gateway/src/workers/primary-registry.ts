import type { Registry, ServiceSnapshot, Watch } from '@paddock/discovery';

interface PrimaryRegistry {
	readonly registry: Registry;
	/** Called with each report of the primary process. */
	readonly report: (service: string, snapshot: ServiceSnapshot) => void;
}

type Listener = (snapshot: ServiceSnapshot) => void;

interface Followed {
	/** Undefined before the first report. */
	snapshot: ServiceSnapshot | undefined;
	readonly observers: Set<ReadonlySet<Listener>>;
}

const unknown: ServiceSnapshot = {
	instances: [],
	stale: false,
	unlisted: false,
	lastResponseAt: undefined,
	rejected: 0,
};

/** The registry of a worker: the primary process follows the services for all workers, with one set of connections to Consul. */
export function primaryRegistry(
	watchService: (service: string) => void,
	unwatchService: (service: string) => void,
): PrimaryRegistry {
	const services = new Map<string, Followed>();
	const follow = (service: string): Followed => {
		const known = services.get(service);
		if (known !== undefined) return known;
		const followed: Followed = { snapshot: undefined, observers: new Set() };
		services.set(service, followed);
		watchService(service);
		return followed;
	};
	const watch = (service: string): Watch => {
		const followed = follow(service);
		const own = new Set<Listener>();
		followed.observers.add(own);
		return {
			current: () => followed.snapshot ?? unknown,
			responded: () => followed.snapshot !== undefined,
			onChange: (listener) => {
				own.add(listener);
				return () => void own.delete(listener);
			},
			stop: () => {
				followed.observers.delete(own);
				if (followed.observers.size > 0 || services.get(service) !== followed) return;
				services.delete(service);
				unwatchService(service);
			},
		};
	};
	return {
		report: (service, snapshot) => {
			const followed = services.get(service);
			if (followed === undefined) return;
			followed.snapshot = snapshot;
			for (const listeners of followed.observers) for (const listener of listeners) listener(snapshot);
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
