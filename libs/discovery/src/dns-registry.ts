import { createDnsQuery, isDnsFailure } from './dns-query.ts';
import { createPlatformRegistry } from './platform-registry.ts';
import type { Registry } from './registry.ts';
import type { RegistryDeps } from './registry-deps.ts';
import type { ServiceTarget } from './service-instances.ts';
import { type WatchSettings, watchDefaults } from './service-watch.ts';

/** Timing of the queries, in milliseconds. */
interface DnsSettings extends Omit<WatchSettings, 'pauseMs'> {
	/** Interval at which the names are resolved. */
	refreshMs: number;
	/** Time-out of the first of two attempts at each server. */
	timeoutMs: number;
}

const dnsDefaults: DnsSettings = {
	refreshMs: 5_000,
	timeoutMs: 1_000,
	...watchDefaults,
};

interface DnsRegistryDeps extends RegistryDeps<DnsSettings> {
	/** Service name → hosts and SRV names; a service that isn't listed has no instances. */
	targets: ReadonlyMap<string, readonly ServiceTarget[]>;
	/** The DNS servers, `address` or `address:port`; by default those of the system. */
	servers?: readonly string[] | undefined;
}

/** Creates a registry that resolves names at a fixed interval: each address is an instance. */
export function createDnsRegistry(deps: DnsRegistryDeps): Registry {
	const { targets, servers, ...shared } = deps;
	const { refreshMs, timeoutMs, ...timing } = { ...dnsDefaults, ...deps.settings };
	return createPlatformRegistry({
		...shared,
		kind: 'dns',
		// Without targets there is no query.
		createQuery: (service) => {
			const own = targets.get(service);
			return own && createDnsQuery({ targets: own, servers, timeoutMs });
		},
		isFailureResponse: isDnsFailure,
		settings: { ...timing, pauseMs: refreshMs },
	});
}
