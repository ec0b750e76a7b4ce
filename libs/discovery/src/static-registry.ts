import type { Instance, Registration, RegistrationHandle, Registry, ServiceSnapshot } from './registry.ts';

export interface StaticRegistryDeps {
	/** Service name → its instances; a service that isn't in it has none. */
	instances: ReadonlyMap<string, readonly Instance[]>;
	/** For the age of what is shown, which is always 0. */
	now?: () => Date;
}

/**
 * A registry that is a fixed list, such as `parseServiceInstances` reads it. It never changes, is always reachable
 * and never stale; registering does nothing, because whoever wrote the list has done it already.
 */
export function createStaticRegistry({ instances, now = () => new Date() }: StaticRegistryDeps): Registry {
	const snapshotOf = (service: string): ServiceSnapshot => ({
		instances: instances.get(service) ?? [],
		stale: false,
		lastAnswerAt: now(),
		rejected: 0,
	});
	return {
		kind: 'static',
		watch: (service) => ({
			current: () => snapshotOf(service),
			onChange: () => () => undefined,
			answered: () => true,
			stop: () => undefined,
		}),
		register: (registration) => handleOf(registration, instances),
		status: () => ({
			kind: 'static',
			reachable: true,
			leader: undefined,
			lastAnswerAt: now(),
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
