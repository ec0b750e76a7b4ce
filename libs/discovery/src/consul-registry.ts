import { type SharedValues, sharedValues, startRetryLoop } from '@paddock/resilience';
import type { Logger } from '@paddock/telemetry';
import { type ConsulAccess, type ConsulSettings, consulDefaults } from './consul-access.ts';
import { parseConsulAddresses } from './consul-address.ts';
import { type ConsulClient, openConsulClient } from './consul-client.ts';
import { type ConsulRegistration, startConsulRegistration } from './consul-registration.ts';
import { consulEntry } from './consul-responses.ts';
import type { Registry } from './registry.ts';
import { createRegistryContact, type RegistryDeps } from './registry-contact.ts';
import { type RegistryQuery, startServiceWatch } from './service-watch.ts';
import { openSharedWatches } from './shared-watches.ts';

export interface ConsulRegistryDeps extends RegistryDeps<ConsulSettings> {
	address: string;
	access?: ConsulAccess;
}

/** A registry backed by Consul, which may be absent, late, restarted or frozen. @throws Error for a malformed address */
export function openConsulRegistry(deps: ConsulRegistryDeps): Registry {
	const { logger, now, random = Math.random, isForbidden = () => false, access = {}, store } = deps;
	const settings = { ...consulDefaults, ...deps.settings };
	const contact = createRegistryContact({ kind: 'consul', now });
	const client = openConsulClient({
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
	const watches = openSharedWatches((service) =>
		startServiceWatch({
			service,
			query: createConsulQuery(service, client, settings.waitMs),
			...{ settings, isForbidden, store, logger, now, random },
		}),
	);
	const registrations: ConsulRegistration[] = [];
	const values: SharedValues[] = [];

	return {
		kind: 'consul',
		watch: watches.observe,
		register: (registration) => {
			const started = startConsulRegistration({ registration, client, settings, logger, random });
			registrations.push(started);
			return { registered: started.registered, deregister: started.deregister };
		},
		status: contact.status,
		sharedValues: (prefix) => {
			const shared = consulValues({ prefix, client, settings, logger, random });
			values.push(shared);
			return shared;
		},
		close: async () => {
			const stopping = [
				...registrations.map((each) => each.abandon()),
				...values.map((each) => each.close()),
			];
			await Promise.all([probe.stop(), watches.stop(), ...stopping]);
			client.close();
			await store?.close();
		},
	};
}

/** Shorter than that of services: a change of a value is rare, and is awaited. */
const periodMs = 250;

/** Values in Consul's key-value store, at `prefix` and below it, followed by blocking queries. */
function consulValues(deps: {
	readonly prefix: string;
	readonly client: Pick<ConsulClient, 'readValues' | 'writeValue'>;
	readonly settings: ConsulSettings;
	readonly logger: Logger;
	readonly random: () => number;
}): SharedValues {
	const { prefix, client, settings, random, logger } = deps;
	let index = 0n;
	// `callTimeoutMs` limits each attempt; a common limit would expire before the second address is tried.
	const closing = new AbortController();
	const values = sharedValues(
		{
			next: async (fresh, signal) => {
				if (fresh) index = 0n;
				const read = await client.readValues(prefix, { index, waitMs: settings.waitMs }, signal);
				index = nextIndex(index, read.index);
				return read.values;
			},
			read: async () => (await client.readValues(prefix, { index: 0n, waitMs: 0 }, closing.signal)).values,
			write: (key, text, version = '0') =>
				client.writeValue(`${prefix}/${key}`, { text, version }, closing.signal),
		},
		{ prefix, periodMs, random, logger },
	);
	return {
		...values,
		close: () => {
			closing.abort();
			return values.close();
		},
	};
}

/** Creates the query for the passing instances of a service; it blocks until they change, except for the first time. */
function createConsulQuery(service: string, client: ConsulClient, waitMs: number): RegistryQuery {
	let index = 0n;
	return async (signal) => {
		const previous = index;
		// After a failure the next query must not block: its response shows that Consul has recovered.
		index = 0n;
		const response = await client.passingEntries(service, { index: previous, waitMs }, signal);
		index = nextIndex(previous, response.index);
		return response.entries.map(consulEntry);
	};
}

/**
 * The next index: 0, which doesn't block, if it went backwards (Consul was restarted or restored) or isn't above 0.
 * https://developer.hashicorp.com/consul/api-docs/features/blocking#implementation-details
 */
export function nextIndex(previous: bigint, responded: bigint): bigint {
	return responded <= 0n || responded < previous ? 0n : responded;
}
