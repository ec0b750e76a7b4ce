import { type CheckedEntries, checkEntries, type IsForbidden } from './check-entries.ts';
import { type EndpointSlice, podsOf } from './endpoint-slices.ts';
import { type KubernetesApi, KubernetesError, type WatchEvent } from './kubernetes-api.ts';
import type { RegistryContact } from './registry-contact.ts';

interface KubernetesQueryDeps {
	service: string;
	api: KubernetesApi;
	isForbidden: IsForbidden;
	/** Receives the outcome of every query that wasn't aborted. */
	contact: RegistryContact;
}

/**
 * Creates the query for the current pods of a service: a list at first and after a failure, then the next events of a watch, or
 * its end. The watch stays open between two queries.
 */
export function createKubernetesQuery(
	deps: KubernetesQueryDeps,
): (signal: AbortSignal) => Promise<CheckedEntries> {
	const { service, api, contact } = deps;
	const kind = `watch ${service}`;
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
		try {
			await update(signal);
			contact.succeeded(kind);
			return checkEntries(podsOf([...slices.values()]), (address, port) =>
				deps.isForbidden(address, port, service),
			);
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			const responded = error instanceof KubernetesError;
			if (!signal.aborted) contact.failed(kind, { message: `${service}: ${message}`, responded });
			throw error;
		}
	};
}

const watchMsMin = 1_000;

/** The server has forgotten the version. https://kubernetes.io/docs/reference/using-api/api-concepts/#410-gone-responses */
function isExpired(error: unknown): boolean {
	return error instanceof KubernetesError && error.code === 410;
}
