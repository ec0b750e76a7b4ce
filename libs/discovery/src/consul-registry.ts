import { type SharedText, startRetryLoop } from '@paddock/resilience';
import type { ConsulAccess } from './consul-access.ts';
import { parseConsulAddresses } from './consul-address.ts';
import { createConsulClient } from './consul-client.ts';
import { createConsulQuery } from './consul-query.ts';
import { type ConsulRegistration, startConsulRegistration } from './consul-registration.ts';
import { type ConsulSettings, consulDefaults } from './consul-settings.ts';
import { consulText } from './consul-text.ts';
import type { Registry } from './registry.ts';
import { createRegistryContact } from './registry-contact.ts';
import type { RegistryDeps } from './registry-deps.ts';
import { startServiceWatch } from './service-watch.ts';
import { createSharedWatches } from './shared-watches.ts';

export interface ConsulRegistryDeps extends RegistryDeps<ConsulSettings> {
	/** See `parseConsulAddresses`. */
	address: string;
	access?: ConsulAccess;
}

/**
 * Creates a registry backed by a Consul agent and starts polling the leader at once. Consul may be absent, start late,
 * restart or freeze; none of these makes a method throw. Throws an Error if an address is malformed.
 */
export function createConsulRegistry(deps: ConsulRegistryDeps): Registry {
	const { logger, now, random = Math.random, isForbidden = () => false, access = {}, store } = deps;
	const settings = { ...consulDefaults, ...deps.settings };
	const contact = createRegistryContact({ kind: 'consul', now });
	const client = createConsulClient({
		...settings,
		addresses: parseConsulAddresses(deps.address, access),
		access,
		contact,
		logger,
	});
	const probe = startRetryLoop({
		step: async (signal) => {
			await client.probe(signal);
			return settings.probeMs;
		},
		// Not logged: users of Consul log their own failures, and `status()` includes this one.
		periodMinMs: settings.pauseMs,
		backoffMinMs: settings.backoffMinMs,
		backoffMaxMs: settings.backoffMaxMs,
		random,
	});
	const watches = createSharedWatches((service) =>
		startServiceWatch({
			service,
			query: createConsulQuery(service, client, settings.waitMs),
			...{ settings, isForbidden, store, logger, now, random },
		}),
	);
	const registrations: ConsulRegistration[] = [];
	const texts: SharedText[] = [];

	return {
		kind: 'consul',
		watch: watches.observe,
		register: (registration) => {
			const started = startConsulRegistration({ registration, client, settings, logger, random });
			registrations.push(started);
			return { registered: started.registered, deregister: started.deregister };
		},
		status: contact.status,
		sharedText: (key) => {
			const text = consulText({ key, client, settings, logger, random });
			texts.push(text);
			return text;
		},
		close: async () => {
			const stopping = [...registrations.map((each) => each.abandon()), ...texts.map((each) => each.close())];
			await Promise.all([probe.stop(), watches.stop(), ...stopping]);
			client.close();
			await store?.close();
		},
	};
}
