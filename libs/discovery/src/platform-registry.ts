import type { Registry } from './registry.ts';
import { createRegistryContact, type RegistryContact, type RegistryDeps } from './registry-contact.ts';
import { type RegistryQuery, startServiceWatch, type WatchSettings } from './service-watch.ts';
import { openSharedWatches } from './shared-watches.ts';

interface PlatformRegistryDeps extends Omit<RegistryDeps<WatchSettings>, 'settings'> {
	kind: Registry['kind'];
	/** Undefined for a service that has no instances. */
	createQuery: (service: string) => RegistryQuery | undefined;
	/** Whether an error of a query is a response of the platform. */
	isFailureResponse: (error: unknown) => boolean;
	settings: WatchSettings;
	/** Called when all queries have ended. */
	close?: () => void;
}

/** A registry that a platform maintains: it lists and removes the instances itself, so registering does nothing. */
export function openPlatformRegistry(deps: PlatformRegistryDeps): Registry {
	const { kind, createQuery, close, settings, store, logger, now } = deps;
	const { random = Math.random, isForbidden = () => false } = deps;
	const contact = createRegistryContact({ kind, now });
	const watches = openSharedWatches((service) => {
		const own = createQuery(service);
		const query = own === undefined ? async () => [] : reporting(service, own, contact, deps);
		return startServiceWatch({ service, query, settings, isForbidden, store, logger, now, random });
	});
	return {
		kind,
		watch: watches.observe,
		register: () => ({ registered: () => false, deregister: async () => undefined }),
		status: contact.status,
		close: async () => {
			await watches.stop();
			close?.();
			await store?.close();
		},
	};
}

function reporting(
	service: string,
	query: RegistryQuery,
	contact: RegistryContact,
	{ isFailureResponse }: Pick<PlatformRegistryDeps, 'isFailureResponse'>,
): RegistryQuery {
	return async (signal) => {
		try {
			const entries = await query(signal);
			contact.succeeded(service);
			return entries;
		} catch (error) {
			const message = `${service}: ${error instanceof Error ? error.message : String(error)}`;
			if (!signal.aborted) contact.failed(service, { message, responded: isFailureResponse(error) });
			throw error;
		}
	};
}
