import {
	type EndpointSlice,
	type KubernetesAccess,
	type KubernetesApi,
	KubernetesError,
	openKubernetesApi,
	podsOf,
	type WatchEvent,
} from './kubernetes-api.ts';
import { openPlatformRegistry } from './platform-registry.ts';
import type { Registry } from './registry.ts';
import type { RegistryDeps } from './registry-contact.ts';
import { type RegistryQuery, type WatchSettings, watchDefaults } from './service-watch.ts';

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
export function openKubernetesRegistry(deps: KubernetesRegistryDeps): Registry {
	const { access, ...shared } = deps;
	const settings = { ...kubernetesDefaults, ...deps.settings };
	const api = openKubernetesApi(access, settings);
	return openPlatformRegistry({
		...shared,
		kind: 'kubernetes',
		createQuery: (service) => createKubernetesQuery(service, api),
		isFailureResponse: (error) => error instanceof KubernetesError,
		close: api.close,
		settings,
	});
}

/** Creates the query for the pods of a service: a list at first and after a failure, then the next events of a watch. */
function createKubernetesQuery(service: string, api: KubernetesApi): RegistryQuery {
	const slices = new Map<string, EndpointSlice>();
	let version: string | undefined;
	let events: AsyncGenerator<readonly WatchEvent[]> | undefined;
	let expiredBefore = false;

	async function list(signal: AbortSignal): Promise<void> {
		const { items, metadata } = await api.list(service, signal);
		slices.clear();
		for (const slice of items) slices.set(slice.metadata.name, slice);
		version = metadata.resourceVersion;
	}

	async function follow(from: string, signal: AbortSignal): Promise<void> {
		const openedMs = performance.now();
		const isNew = events === undefined;
		events ??= api.watch(service, from, signal);
		const batch = await events.next();
		if (batch.done !== true) return batch.value.forEach(apply);
		events = undefined;
		// A proxy that allows no long response would otherwise be called without a pause.
		if (isNew && performance.now() - openedMs < watchMsMin) throw new Error('the watch ended at once');
	}

	function apply({ type, object }: WatchEvent): void {
		if (type === 'ERROR') throw new KubernetesError(object.code, object.message ?? 'the watch failed');
		version = object.metadata.resourceVersion;
		if (type === 'DELETED') slices.delete(object.metadata.name);
		else if (type !== 'BOOKMARK') slices.set(object.metadata.name, object);
	}

	async function update(signal: AbortSignal): Promise<void> {
		if (version === undefined) return list(signal);
		try {
			await follow(version, signal);
			expiredBefore = false;
		} catch (error) {
			await events?.return(undefined);
			[version, events] = [undefined, undefined];
			if (!isExpired(error) || expiredBefore) throw error;
			expiredBefore = true;
			await list(signal);
		}
	}

	return async (signal) => {
		await update(signal);
		return podsOf([...slices.values()]);
	};
}

const watchMsMin = 1_000;

/** The server has forgotten the version. https://kubernetes.io/docs/reference/using-api/api-concepts/#410-gone-responses */
function isExpired(error: unknown): boolean {
	return error instanceof KubernetesError && error.code === 410;
}
