import type { SrvRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { fieldOf } from './check-entries.ts';
import { openPlatformRegistry } from './platform-registry.ts';
import type { Registry } from './registry.ts';
import type { RegistryDeps } from './registry-contact.ts';
import type { ServiceTarget } from './service-instances.ts';
import { type RegistryQuery, type WatchSettings, watchDefaults } from './service-watch.ts';

/** Timing of the queries, in milliseconds. */
interface DnsSettings extends Omit<WatchSettings, 'pauseMs'> {
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
export function openDnsRegistry(deps: DnsRegistryDeps): Registry {
	const { targets, servers, ...shared } = deps;
	const { refreshMs, timeoutMs, ...timing } = { ...dnsDefaults, ...deps.settings };
	return openPlatformRegistry({
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

interface DnsQueryDeps {
	targets: readonly ServiceTarget[];
	/** The servers to query, `address` or `address:port`; undefined for those of the system. */
	servers: readonly string[] | undefined;
	/** Time-out of the first of two attempts at each server; the second waits up to twice as long. */
	timeoutMs: number;
}

interface Endpoint {
	address: string;
	port: number;
}

/** Creates the query for the addresses of a service. Unlike `dns.lookup` it reads no /etc/hosts and occupies no thread. */
function createDnsQuery({ targets, servers, timeoutMs }: DnsQueryDeps): RegistryQuery {
	return async (signal) => {
		const resolver = new Resolver({ timeout: timeoutMs, tries: 2 });
		if (servers !== undefined) resolver.setServers([...servers]);
		const cancel = () => resolver.cancel();
		signal.addEventListener('abort', cancel, { once: true });
		try {
			const found = await Promise.all(targets.map((target) => endpointsOf(resolver, target)));
			return found.flat();
		} finally {
			signal.removeEventListener('abort', cancel);
		}
	};
}

// Codes of responses; any other one means that no server responded. https://nodejs.org/api/dns.html#error-codes
const respondedCodes: ReadonlySet<unknown> = new Set([
	'ESERVFAIL',
	'EREFUSED',
	'EFORMERR',
	'ENOTIMP',
	'EBADRESP',
]);
const missingCodes: ReadonlySet<unknown> = new Set(['ENOTFOUND', 'ENODATA']);

/** Whether a server responded, with a failure. */
function isDnsFailure(error: unknown): boolean {
	return respondedCodes.has(codeOf(error));
}

function codeOf(error: unknown): unknown {
	return fieldOf(error, 'code');
}

async function endpointsOf(resolver: Resolver, target: ServiceTarget): Promise<Endpoint[]> {
	if (!('srv' in target)) return addressesAt(resolver, target.address, target.port);
	const records = await existing(resolver.resolveSrv(target.srv));
	const best = Math.min(...records.map(({ priority }) => priority));
	const preferred = records.filter(({ priority }) => priority === best);
	const found = await Promise.all(
		preferred.map(({ name, port }: SrvRecord) => addressesAt(resolver, name, port)),
	);
	return found.flat();
}

/** The IPv4 addresses of a host, or the IPv6 ones if there are none: both would be two instances of one process. */
async function addressesAt(resolver: Resolver, host: string, port: number): Promise<Endpoint[]> {
	if (isIP(host) !== 0) return [{ address: host, port }];
	const four = await existing(resolver.resolve4(host));
	const addresses = four.length > 0 ? four : await existing(resolver.resolve6(host));
	return addresses.map((address) => ({ address, port }));
}

/** The records; none if the name or the type doesn't exist. Throws if that is unknown. */
async function existing<DnsRecord>(query: Promise<DnsRecord[]>): Promise<DnsRecord[]> {
	try {
		return await query;
	} catch (error) {
		if (missingCodes.has(codeOf(error))) return [];
		throw error;
	}
}
