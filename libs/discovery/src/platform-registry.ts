import type { Registry } from './registry.ts';
import type { RegistryContact } from './registry-contact.ts';
import { type ServiceWatchDeps, startServiceWatch } from './service-watch.ts';
import { createSharedWatches } from './shared-watches.ts';

interface PlatformRegistryDeps extends Omit<ServiceWatchDeps, 'service' | 'query'> {
	kind: Registry['kind'];
	contact: RegistryContact;
	createQuery: (service: string) => ServiceWatchDeps['query'];
	/** Called when all queries have ended. */
	close?: () => void;
}

/** A registry that a platform maintains: it lists and removes the instances itself, so registering does nothing. */
export function createPlatformRegistry(deps: PlatformRegistryDeps): Registry {
	const { kind, contact, createQuery, close, ...watchDeps } = deps;
	const watches = createSharedWatches((service) =>
		startServiceWatch({ ...watchDeps, service, query: createQuery(service) }),
	);
	return {
		kind,
		watch: watches.observe,
		register: () => ({ registered: () => false, deregister: async () => undefined }),
		status: contact.status,
		close: async () => {
			await watches.stop();
			close?.();
			await deps.store?.close();
		},
	};
}
