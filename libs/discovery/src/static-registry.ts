import type { Instance, Registration, RegistrationHandle, Registry, ServiceSnapshot } from './registry.ts';

interface StaticRegistryDeps {
	/** Service name → its instances; a service that isn't listed has no instances. */
	instances: ReadonlyMap<string, readonly Instance[]>;
	/** The clock for `lastResponseAt`, which is always the current time. */
	now?: () => Date;
}

/** A registry with a fixed list, always reachable and never stale; registering does nothing. */
export function openStaticRegistry({ instances, now = () => new Date() }: StaticRegistryDeps): Registry {
	const snapshotOf = (service: string): ServiceSnapshot => ({
		instances: instances.get(service) ?? [],
		stale: false,
		unlisted: false,
		lastResponseAt: now(),
		rejected: 0,
	});
	return {
		kind: 'static',
		watch: (service) => ({
			current: () => snapshotOf(service),
			onChange: () => () => undefined,
			responded: () => true,
			stop: () => undefined,
		}),
		register: (registration) => handleOf(registration, instances),
		status: () => ({
			kind: 'static',
			reachable: true,
			leader: undefined,
			lastResponseAt: now(),
			lastError: undefined,
		}),
		close: async () => undefined,
	};
}

function handleOf(
	registration: Registration,
	instances: ReadonlyMap<string, readonly Instance[]>,
): RegistrationHandle {
	const listed = (instances.get(registration.name) ?? []).some(
		({ address, port }) => address === registration.address && port === registration.port,
	);
	return { registered: () => listed, deregister: async () => undefined };
}
