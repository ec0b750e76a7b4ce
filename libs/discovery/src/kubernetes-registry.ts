import { createKubernetesApi, type KubernetesAccess, KubernetesError } from './kubernetes-api.ts';
import { createKubernetesQuery } from './kubernetes-query.ts';
import { createPlatformRegistry } from './platform-registry.ts';
import type { Registry } from './registry.ts';
import type { RegistryDeps } from './registry-deps.ts';
import { type WatchSettings, watchDefaults } from './service-watch.ts';

/** Timing of the calls, in milliseconds. */
interface KubernetesSettings extends WatchSettings {
	/** Duration of one watch; bounds the time to notice a connection that was lost without a reset. */
	waitMs: number;
	/** Time-out of a list, and of the end of a watch. */
	timeoutMs: number;
}

const kubernetesDefaults: KubernetesSettings = {
	waitMs: 30_000,
	timeoutMs: 5_000,
	// Events of one roll-out are applied together.
	pauseMs: 50,
	...watchDefaults,
};

interface KubernetesRegistryDeps extends RegistryDeps<KubernetesSettings> {
	access: KubernetesAccess;
}

/** Creates a registry that watches the EndpointSlices of the pod's own namespace: each pod is an instance. */
export function createKubernetesRegistry(deps: KubernetesRegistryDeps): Registry {
	const { access, ...shared } = deps;
	const settings = { ...kubernetesDefaults, ...deps.settings };
	const api = createKubernetesApi(access, settings);
	return createPlatformRegistry({
		...shared,
		kind: 'kubernetes',
		createQuery: (service) => createKubernetesQuery(service, api),
		isFailureResponse: (error) => error instanceof KubernetesError,
		close: api.close,
		settings,
	});
}
