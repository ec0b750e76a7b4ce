import type { SrvRecord } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { type CheckedEntries, checkEntries, type IsForbidden } from './check-entries.ts';
import { fieldOf } from './field-of.ts';
import type { RegistryContact } from './registry-contact.ts';
import type { ServiceTarget } from './service-instances.ts';

interface DnsQueryDeps {
	service: string;
	targets: readonly ServiceTarget[];
	/** The servers to query, `address` or `address:port`; undefined for those of the system. */
	servers: readonly string[] | undefined;
	/** Time-out of the first of two attempts at each server; the second waits up to twice as long. */
	timeoutMs: number;
	isForbidden: IsForbidden;
	/** Receives the outcome of every query that wasn't aborted. */
	contact: RegistryContact;
}

interface Endpoint {
	address: string;
	port: number;
}

/**
 * Creates the query for the current addresses of a service. The resolver sends the names as they are to the DNS servers:
 * it reads neither /etc/hosts nor search domains, and, unlike `dns.lookup`, occupies no thread while a server is silent.
 */
export function createDnsQuery(deps: DnsQueryDeps): (signal: AbortSignal) => Promise<CheckedEntries> {
	const { service, targets, contact } = deps;
	const kind = `resolve ${service}`;
	return async (signal) => {
		const resolver = new Resolver({ timeout: deps.timeoutMs, tries: 2 });
		if (deps.servers !== undefined) resolver.setServers([...deps.servers]);
		const cancel = () => resolver.cancel();
		signal.addEventListener('abort', cancel, { once: true });
		try {
			const found = await Promise.all(targets.map((target) => endpointsOf(resolver, target)));
			// Without targets there was no query.
			if (targets.length > 0) contact.succeeded(kind);
			return checkEntries(found.flat(), (address, port) => deps.isForbidden(address, port, service));
		} catch (error) {
			const message = error instanceof Error ? error.message : String(error);
			const responded = respondedCodes.has(codeOf(error));
			if (!signal.aborted) contact.failed(kind, { message: `${service}: ${message}`, responded });
			throw error;
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
