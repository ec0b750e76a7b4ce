import { BlockList, isIPv6 } from 'node:net';
import { type NetworkInterfaceInfo, networkInterfaces } from 'node:os';
import { join } from 'node:path';
import {
	type Instance,
	type InstanceStore,
	type IsForbidden,
	openConsulRegistry,
	openDnsRegistry,
	openInstanceStore,
	openKubernetesRegistry,
	openStaticRegistry,
	parseServiceInstances,
	parseServiceTargets,
	type Registry,
	readConsulAccess,
} from '@paddock/discovery';
import type { Logger } from '@paddock/telemetry';
import { SettingsError } from '../settings/read-settings.ts';
import type { ProcessSettings } from '../settings/settings.ts';

interface RegistryDeps {
	readonly name: string;
	readonly logger: Logger;
	readonly now: () => Date;
	/** An address that no service may claim, e.g. the caller's own. */
	readonly isForbidden?: IsForbidden;
}

/** The registry that DISCOVERY selects; by default Consul if its address is known, else the static list. @throws SettingsError */
export function openRegistry(settings: ProcessSettings, deps: RegistryDeps): Registry {
	const byDefault = settings.CONSUL_HTTP_ADDR === undefined ? 'static' : 'consul';
	return open[settings.DISCOVERY ?? byDefault](settings, deps);
}

const open = { consul: openConsul, dns: openDns, kubernetes: openKubernetes, static: openStatic };

function openStatic(settings: ProcessSettings, deps: RegistryDeps): Registry {
	const instances = naming('SERVICE_INSTANCES', () => {
		const parsed = parseServiceInstances(settings.SERVICE_INSTANCES);
		refuseForbidden(parsed, deps);
		return parsed;
	});
	return openStaticRegistry({ instances });
}

function openDns(settings: ProcessSettings, deps: RegistryDeps): Registry {
	const targets = naming('SERVICE_INSTANCES', () => parseServiceTargets(settings.SERVICE_INSTANCES));
	return openDnsRegistry({
		...deps,
		targets,
		servers: settings.DNS_SERVERS.length === 0 ? undefined : settings.DNS_SERVERS,
		settings: { refreshMs: settings.DNS_REFRESH_MS, keepLastKnownMs: settings.LAST_KNOWN_MS },
		store: openStore(settings, deps),
	});
}

function openKubernetes(settings: ProcessSettings, deps: RegistryDeps): Registry {
	const { KUBERNETES_SERVICE_HOST: host = '', KUBERNETES_SERVICE_PORT: port } = settings;
	return openKubernetesRegistry({
		...deps,
		access: {
			url: `https://${isIPv6(host) ? `[${host}]` : host}:${port}`,
			accountDir: settings.KUBERNETES_ACCOUNT_DIR,
		},
		settings: { keepLastKnownMs: settings.LAST_KNOWN_MS },
		store: openStore(settings, deps),
	});
}

function openConsul(settings: ProcessSettings, deps: RegistryDeps): Registry {
	if (settings.CONSUL_HTTP_ADDR === undefined) {
		throw new SettingsError([{ name: 'CONSUL_HTTP_ADDR', rule: 'is required with DISCOVERY=consul' }]);
	}
	const access = naming('CONSUL_HTTP_TOKEN_FILE', () => readConsulAccess(settings));
	const options = {
		...deps,
		address: settings.CONSUL_HTTP_ADDR,
		access,
		settings: { keepLastKnownMs: settings.LAST_KNOWN_MS },
		store: openStore(settings, deps),
	};
	return naming('CONSUL_HTTP_ADDR', () => openConsulRegistry(options));
}

function openStore(settings: ProcessSettings, deps: RegistryDeps): InstanceStore | undefined {
	const { LAST_KNOWN_DIR: directory, LAST_KNOWN_MS: ageMaxMs } = settings;
	if (directory === undefined) return undefined;
	const { name, logger, now, isForbidden = () => false } = deps;
	return openInstanceStore({ file: join(directory, `${name}.json`), ageMaxMs, isForbidden, logger, now });
}

/** @throws Error naming every instance at an address that no service may claim. */
function refuseForbidden(
	byService: ReadonlyMap<string, readonly Instance[]>,
	{ isForbidden = () => false }: RegistryDeps,
): void {
	const refused = [...byService].flatMap(([service, instances]) =>
		instances.filter(({ address, port }) => isForbidden(address, port, service)),
	);
	if (refused.length === 0) return;
	throw new Error(`must not name the process itself: ${refused.map(({ url }) => url).join(', ')}`);
}

/** Converts a library's error about a setting's value to a violation of that setting. */
function naming<T>(setting: string, read: () => T): T {
	try {
		return read();
	} catch (cause) {
		const reason = cause instanceof Error ? cause.message : String(cause);
		throw new SettingsError([{ name: setting, rule: reason }], { cause });
	}
}

/** The address of a process that listens on `host`. @throws SettingsError if this machine has none in the network `advertise` */
export function advertisedAddress(host: string, advertise: string | undefined): string {
	if (advertise?.includes('/')) return addressIn(advertise);
	if (advertise !== undefined) return advertise;
	if (host !== '0.0.0.0' && host !== '::') return host;
	const found = machineAddresses().find((entry) => !entry.internal && entry.family === 'IPv4');
	return found?.address ?? '127.0.0.1';
}

function addressIn(cidr: string): string {
	const [prefix = '', bits] = cidr.split('/');
	const network = new BlockList();
	network.addSubnet(prefix, Number(bits), isIPv6(prefix) ? 'ipv6' : 'ipv4');
	const addresses = machineAddresses();
	const found = addresses.find(({ address, family }) =>
		network.check(address, family === 'IPv6' ? 'ipv6' : 'ipv4'),
	);
	if (found !== undefined) return found.address;
	const own = addresses.map(({ address }) => address).join(', ');
	throw new SettingsError([
		{ name: 'ADVERTISE_ADDRESS', rule: `must contain one of this machine's addresses ${own}` },
	]);
}

/** Loopback addresses are last: `0.0.0.0/0` contains them too. */
function machineAddresses(): NetworkInterfaceInfo[] {
	const addresses = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
	return addresses.sort((a, b) => Number(a.internal) - Number(b.internal));
}
