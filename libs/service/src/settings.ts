import { isIP } from 'node:net';
import type { ContextDescription } from '@paddock/contract';
import { parseServiceInstances } from '@paddock/discovery';
import { logLevels } from '@paddock/telemetry';
import { z } from 'zod';

/** Thrown when the settings are not usable; its message lists every violation, one a line. */
export class SettingsError extends Error {
	override readonly name = 'SettingsError';
}

/**
 * Reads settings from environment variables through a schema whose keys are the variables' names. Variables that
 * the schema doesn't name are ignored; an empty one counts as absent.
 * @throws SettingsError listing every violation.
 */
export function readSettings<S extends z.ZodObject>(
	schema: S,
	env: Readonly<Record<string, string | undefined>>,
): z.output<S> {
	const named = Object.keys(schema.shape).flatMap((name) =>
		env[name] === undefined || env[name] === '' ? [] : [[name, env[name]]],
	);
	const result = schema.safeParse(Object.fromEntries(named));
	if (result.success) return result.data;
	const lines = result.error.issues.map(
		(issue) => `  ${issue.path.join('.') || '(settings)'}: ${describe(issue)}`,
	);
	throw new SettingsError(`The settings are not usable:\n${lines.join('\n')}`);
}

function describe(issue: z.core.$ZodIssue): string {
	return issue.code === 'invalid_type' && issue.message.includes('received undefined')
		? 'is required'
		: issue.message;
}

/** A whole number within bounds; the bounds are in its metadata, for docs/settings.md. */
export function integerSetting(min: number, max: number, fallback: number) {
	const message = `must be a whole number from ${min} to ${max}`;
	return z
		.string()
		.regex(/^\d{1,12}$/, message)
		.transform(Number)
		.refine((value) => value >= min && value <= max, message)
		.meta({ minimum: min, maximum: max })
		.default(fallback);
}

/** `on` or `off`. */
export function switchSetting(fallback: boolean) {
	return z
		.enum(['on', 'off'], 'must be on or off')
		.transform((value) => value === 'on')
		.default(fallback);
}

/** A comma-separated list. */
export const listSetting = z
	.string()
	.transform((value) =>
		value
			.split(',')
			.map((entry) => entry.trim())
			.filter((entry) => entry !== ''),
	)
	.default([]);

/**
 * The contexts of a deployment, for a service that calls some of them: all of those unless set. Only the gateway and the
 * start know which names exist; a service ignores the other names, as contexts may be added after it was built.
 */
export function deployedContextsSetting({ calls }: Pick<ContextDescription, 'calls'>) {
	return listSetting
		.unwrap()
		.refine((names) => names.length > 0 && names.every(isContextName), {
			message: 'must be a list of context names such as members,events',
		})
		.refine(namesNoneTwice, 'must not name a context twice')
		.default([...calls])
		.describe(
			'The contexts of this deployment; one that is missing is not called. Names of contexts that the service never calls are ignored.',
		);
}

function isContextName(name: string): boolean {
	return /^[a-z][a-z0-9-]{0,62}$/.test(name);
}

function namesNoneTwice(names: readonly string[]): boolean {
	return new Set(names).size === names.length;
}

/**
 * Which of the known contexts a deployment has, in the order given; all of them unless told otherwise. For the process
 * that has the table of contexts: an unknown name is a typo there, and an empty list would start without any route.
 */
export function contextsSetting<Name extends string>(known: readonly Name[]) {
	const isKnown = (name: string): name is Name => known.some((candidate) => candidate === name);
	return listSetting
		.unwrap()
		.refine((names) => names.length > 0 && names.every(isKnown), `must list some of ${known.join(', ')}`)
		.refine(namesNoneTwice, 'must not name a context twice')
		.transform((names) => names.filter(isKnown))
		.default([...known]);
}

/** An IP address, alone or with a prefix length of at least 1. */
function isAddressRange(text: string): boolean {
	const [address = '', bits = '1', ...rest] = text.split('/');
	const bitsMax = isIP(address) === 4 ? 32 : 128;
	return isIP(address) !== 0 && /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= bitsMax && rest.length === 0;
}

/** A comma-separated list of addresses or CIDRs. */
export function addressListSetting(fallback: string[]) {
	return listSetting
		.unwrap()
		.refine((list) => list.every(isAddressRange), 'must be a comma-separated list of addresses or CIDRs')
		.default(fallback);
}

/** The address of a service's database, e.g. of `horses`. */
export function databaseUrlSetting(database: string) {
	return z
		.string()
		.regex(/^postgres(ql)?:\/\//, `must be an address such as postgres://role:password@host:5432/${database}`)
		.describe(
			'The database of this service, which is its alone. With `?connect_timeout=5` at its end a request waits 5 s for a connection instead of 2.',
		);
}

interface DemoSettings {
	readonly NODE_ENV: string;
	readonly DEMO: boolean;
}

/** For `superRefine`: invented records have no place in an installation with NODE_ENV=production. */
export function noDemoInProduction({ NODE_ENV, DEMO }: DemoSettings, context: z.RefinementCtx): void {
	if (DEMO && NODE_ENV === 'production')
		context.addIssue({ code: 'custom', path: ['DEMO'], message: 'must be off in production' });
}

export const portSetting = (fallback: number) =>
	integerSetting(0, 65_535, fallback).describe('The port that it listens on; 0 = one that is free.');

/** A name or address of a host, without a port. */
const hostSetting = z
	.string()
	.refine((host) => isIP(host) !== 0 || /^(?=.{1,253}$)[a-z0-9-]+(\.[a-z0-9-]+)*$/i.test(host), {
		message: 'must be an IP address or a host name',
	})
	.optional();

/** `auth-service=http://127.0.0.1:8081,…`; stays text, openRegistry reads it. */
const instancesSetting = z
	.string()
	.superRefine((text, context) => {
		try {
			parseServiceInstances(text);
		} catch (cause) {
			context.addIssue({ code: 'custom', message: cause instanceof Error ? cause.message : String(cause) });
		}
	})
	.default('');

/** The settings that gateway and services share. */
export const processSettings = {
	NODE_ENV: z
		.enum(['production', 'development', 'test'], 'must be production, development or test')
		.default('development')
		.describe(
			'With `production` it listens everywhere and demands the secrets that it works without elsewhere.',
		),
	HOST: hostSetting.describe(
		'The address that it listens at; without it loopback, with NODE_ENV=production every address.',
	),
	ADVERTISE_ADDRESS: hostSetting.describe(
		'The address that it registers in Consul; without it HOST or, where it listens everywhere, the first IPv4 address of the machine.',
	),
	LOG_LEVEL: z
		.enum(logLevels, `must be one of ${logLevels.join(', ')}`)
		.default('info')
		.describe('The least severe lines that are logged.'),
	CONSUL_HTTP_ADDR: z.string().optional().meta({
		description: 'Consul, where instances register and are found.',
		allowed: '`HOST:PORT`, alone or behind `http://` or `https://`',
	}),
	CONSUL_HTTP_TOKEN: z.string().optional().describe('The token that Consul is asked with.'),
	SERVICE_INSTANCES: instancesSetting.meta({
		description:
			'Without Consul, the instances of the services that it calls; a service with several comes several times.',
		allowed: '`auth-service=http://HOST:PORT,…`',
	}),
	DISCOVERY: z
		.enum(['consul', 'static'], 'must be consul or static')
		.optional()
		.describe(
			'Where instances are found; without it Consul where CONSUL_HTTP_ADDR is set, else SERVICE_INSTANCES.',
		),
	TOKEN_ISSUER: z
		.string()
		.default('paddock')
		.describe('The `iss` of access tokens; the same for auth, the gateway and all services.'),
	TOKEN_AUDIENCE: z
		.string()
		.default('paddock')
		.describe('The `aud` of access tokens; the same for auth, the gateway and all services.'),
	DRAIN_MS: integerSetting(0, 60_000, 1_000).describe(
		'Drain time: how long it still accepts requests after SIGTERM, so that callers learn of it; after an uncaught exception it stops accepting at once and exits within this time (at least 250 ms). `npm start` sets 0 for services unless it is set.',
	),
	SHUTDOWN_TIMEOUT_MS: integerSetting(100, 120_000, 15_000).describe(
		'How long it then waits for the requests in flight before it cuts them off.',
	),
	REGISTRY_CHECK_INTERVAL_MS: integerSetting(1_000, 60_000, 5_000).describe(
		'How often Consul checks its health.',
	),
	BODY_BYTES_MAX: integerSetting(1_024, 1_073_741_824, 102_400).describe(
		'The largest body of a request; a larger one is answered 413.',
	),
};

/** The settings of every service beside those it has in common with the gateway. */
export const serviceSettings = {
	...processSettings,
	TRUSTED_PROXIES: addressListSetting(['127.0.0.0/8', '::1/128']).describe(
		'The gateways whose `X-Forwarded-*` headers are believed; to all others the caller is who connects.',
	),
};

/** Where to listen: loopback unless told otherwise, everywhere in production. */
export function hostOf(settings: { HOST?: string | undefined; NODE_ENV: string }): string {
	return settings.HOST ?? (settings.NODE_ENV === 'production' ? '0.0.0.0' : '127.0.0.1');
}
