import { isIP } from 'node:net';
import type { ContextDescription } from '@paddock/contract';
import { parseServiceTargets } from '@paddock/discovery/service-instances';
import { logLevels } from '@paddock/telemetry/log-levels';
import { z } from 'zod';
import { consulSettings, discoveryRules, kubernetesSettings } from './consul-settings.ts';
import { integerSetting } from './integer-setting.ts';
import type { SettingRule } from './read-settings.ts';
import { tlsRule, tlsSettings } from './tls-settings.ts';
import { traceSettings } from './trace-settings.ts';

export function switchSetting(fallback: boolean) {
	return z
		.enum(['on', 'off'], 'must be on or off')
		.transform((value) => value === 'on')
		.default(fallback);
}

export const listSetting = z
	.string()
	.transform((value) =>
		value
			.split(',')
			.map((entry) => entry.trim())
			.filter((entry) => entry !== ''),
	)
	.default([]);

/** The contexts of a deployment, for a service; by default those that it calls. Later ones may have any name. */
export function deployedContextsSetting({ calls }: Pick<ContextDescription, 'calls'>) {
	return listSetting
		.unwrap()
		.refine((names) => names.length > 0 && names.every(isContextName), {
			message: 'must be a list of context names such as members,events',
		})
		.refine(namesNoneTwice, 'must not name a context twice')
		.default([...calls])
		.describe(
			'Contexts of this deployment; others are not called. Names of contexts that the service never calls are ignored.',
		);
}

function isContextName(name: string): boolean {
	return /^[a-z][a-z0-9-]{0,62}$/.test(name);
}

function namesNoneTwice(names: readonly string[]): boolean {
	return new Set(names).size === names.length;
}

/** The contexts of a deployment, by default all known ones; for processes that know the table of contexts. */
export function contextsSetting(known: () => readonly string[]) {
	return listSetting
		.unwrap()
		.refine((names) => names.length > 0 && names.every((name) => known().includes(name)), {
			error: () => `must list some of ${known().join(', ')}`,
		})
		.refine(namesNoneTwice, 'must not name a context twice')
		.default(() => [...known()]);
}

/** An IP address, alone or with a prefix length of at least 1. */
function isAddressRange(text: string): boolean {
	const [address = '', bits = '1', ...rest] = text.split('/');
	const bitsMax = isIP(address) === 4 ? 32 : 128;
	return isIP(address) !== 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= bitsMax && rest.length === 0;
}

export function addressListSetting(fallback: string[]) {
	return listSetting
		.unwrap()
		.refine((list) => list.every(isAddressRange), 'must be a comma-separated list of addresses or CIDRs')
		.default(fallback);
}

interface DemoSettings {
	readonly NODE_ENV: string;
	readonly DEMO: boolean;
}

/** Demo accounts have public passwords. */
export const noDemoInProduction: SettingRule<DemoSettings> = {
	names: ['DEMO', 'NODE_ENV'],
	isMet: ({ DEMO, NODE_ENV }) => !DEMO || NODE_ENV !== 'production',
	message: 'must be off in production',
};

export const portSetting = (fallback: number) =>
	integerSetting(0, 65_535, fallback).describe('Port to listen on; 0 = any free port.');

function isHost(text: string): boolean {
	return isIP(text) !== 0 || /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(text);
}

const hostSetting = z.string().refine(isHost, 'must be an IP address or a host name').optional();

const advertisedAddressSetting = z
	.string()
	.refine((text) => isHost(text) || isAddressRange(text), 'must be an IP address, a host name or a CIDR')
	.optional();

/** `auth-service=http://127.0.0.1:8081,…`, as text: openRegistry parses it. */
const instancesSetting = z
	.string()
	.superRefine((text, context) => {
		try {
			parseServiceTargets(text);
		} catch (cause) {
			context.addIssue({ code: 'custom', message: cause instanceof Error ? cause.message : String(cause) });
		}
	})
	.default('');

/** `10.0.0.2`, `10.0.0.2:8600`, `fd00::2` or `[fd00::2]:8600` */
function isDnsServer(server: string): boolean {
	if (isIP(server) !== 0) return true;
	const [, six, four, port] = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(server) ?? [];
	const isAddress = six === undefined ? isIP(four ?? '') === 4 : isIP(six) === 6;
	return isAddress && Number(port) > 0 && Number(port) <= 65_535;
}

/** Settings of the gateway and of every service. */
export const processSettings = {
	NODE_ENV: z
		.enum(['production', 'development', 'test'], 'must be production, development or test')
		.default('development')
		.describe(
			'The mode. With `production` the process listens on all addresses by default and requires its secrets.',
		),
	HOST: hostSetting.describe(
		'Address to listen on; by default loopback, with NODE_ENV=production all addresses.',
	),
	ADVERTISE_ADDRESS: advertisedAddressSetting.describe(
		'Address registered in Consul; with a CIDR such as `172.28.0.0/24` the address of the machine in that network. By default HOST or, if the process listens on all addresses, the first IPv4 address of the machine.',
	),
	LOG_LEVEL: z
		.enum(logLevels, `must be one of ${logLevels.join(', ')}`)
		.default('info')
		.describe('Lowest severity that is logged.'),
	...consulSettings,
	SERVICE_INSTANCES: instancesSetting.meta({
		description:
			'Instances of the services that the process calls, if there is no Consul; repeat the name for each instance of a service. With DISCOVERY=dns each address of a host is an instance, and `auth-service=http+srv://NAME` reads hosts and ports from SRV records.',
		allowed: '`auth-service=http://HOST:PORT,…`',
	}),
	DISCOVERY: z
		.enum(['consul', 'dns', 'kubernetes', 'static'], 'must be consul, dns, kubernetes or static')
		.optional()
		.describe(
			'Source of the service instances: Consul, the EndpointSlices of Kubernetes, the DNS records of the hosts in SERVICE_INSTANCES, or that list as it is; by default Consul if CONSUL_HTTP_ADDR is set, otherwise the list.',
		),
	DNS_REFRESH_MS: integerSetting(500, 300_000, 5_000).describe(
		'Interval at which the hosts in SERVICE_INSTANCES are resolved with DISCOVERY=dns, regardless of the TTL.',
	),
	DNS_SERVERS: listSetting
		.unwrap()
		.refine((servers) => servers.every(isDnsServer), 'must be IP addresses, with or without a port')
		.default([])
		.describe('DNS servers that DISCOVERY=dns queries; by default those of the system.'),
	...kubernetesSettings,
	LAST_KNOWN_MS: integerSetting(10_000, 86_400_000, 600_000).describe(
		'Time for which the last known instances are used while the registry does not confirm them.',
	),
	LAST_KNOWN_DIR: z
		.string()
		.optional()
		.describe(
			'Directory in which the process keeps the last known instances for a start while the registry does not respond; processes may share it. By default they are in memory only; `npm start` sets a directory in DATA_DIR.',
		),
	TOKEN_ISSUER: z
		.string()
		.default('paddock')
		.describe('`iss` claim of access tokens; must be the same in auth, the gateway and all services.'),
	TOKEN_AUDIENCE: z
		.string()
		.default('paddock')
		.describe('`aud` claim of access tokens; must be the same in auth, the gateway and all services.'),
	DRAIN_MS: integerSetting(0, 60_000, 1_000).describe(
		'Drain time after SIGTERM, during which requests are still accepted so that callers can notice the deregistration. After an uncaught exception no requests are accepted and the process exits within this time (at least 250 ms). `npm start` sets 0 for services unless it is set.',
	),
	SHUTDOWN_TIMEOUT_MS: integerSetting(100, 120_000, 15_000).describe(
		'Time for requests in flight to finish after the drain time; then their connections are closed.',
	),
	REGISTRY_CHECK_INTERVAL_MS: integerSetting(1_000, 60_000, 5_000).describe(
		'Interval of the health check that Consul makes.',
	),
	BODY_BYTES_MAX: integerSetting(1_024, 1_073_741_824, 102_400).describe(
		'Maximum size of a request body; a larger one is refused with 413.',
	),
	...tlsSettings,
	...traceSettings,
};

export type ProcessSettings = z.output<z.ZodObject<typeof processSettings>>;

/** Rules about the settings of the gateway and of every service. */
export const processRules = [...discoveryRules, tlsRule];

export const serviceSettings = {
	...processSettings,
	TRUSTED_PROXIES: addressListSetting(['127.0.0.0/8', '::1/128']).describe(
		'Gateways whose `X-Forwarded-*` headers are trusted; for other peers the address of the connection is the client address.',
	),
};

/** The address to listen on: `HOST`, otherwise loopback, in production all addresses. */
export function hostOf(settings: { HOST?: string | undefined; NODE_ENV: string }): string {
	return settings.HOST ?? (settings.NODE_ENV === 'production' ? '0.0.0.0' : '127.0.0.1');
}
