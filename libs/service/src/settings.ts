import { isIP } from 'node:net';
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

/** A whole number within bounds. */
export function integerSetting(min: number, max: number, fallback: number) {
	const message = `must be a whole number from ${min} to ${max}`;
	return z
		.string()
		.regex(/^\d{1,12}$/, message)
		.transform(Number)
		.refine((value) => value >= min && value <= max, message)
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

/** What a deployment may consist of; a context that is missing here can't be named in a service's `CONTEXTS`. */
export const everyContext = ['auth', 'members', 'masterdata', 'horses', 'events', 'ping'] as const;

/**
 * Which of the known contexts a deployment has, in the order given; all of them unless told otherwise. One that has none
 * is refused: it would start, and nobody would be asked for anything.
 */
export function contextsSetting<Name extends string>(known: readonly Name[]) {
	const isKnown = (name: string): name is Name => known.some((candidate) => candidate === name);
	return listSetting
		.unwrap()
		.refine((names) => names.length > 0 && names.every(isKnown), `must list some of ${known.join(', ')}`)
		.refine((names) => new Set(names).size === names.length, 'must not name a context twice')
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
		.regex(
			/^postgres(ql)?:\/\//,
			`must be an address such as postgres://role:password@host:5432/${database}`,
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

export const portSetting = (fallback: number) => integerSetting(0, 65_535, fallback);

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
		.default('development'),
	HOST: hostSetting,
	ADVERTISE_ADDRESS: hostSetting,
	LOG_LEVEL: z.enum(logLevels, `must be one of ${logLevels.join(', ')}`).default('info'),
	CONSUL_HTTP_ADDR: z.string().optional(),
	CONSUL_HTTP_TOKEN: z.string().optional(),
	SERVICE_INSTANCES: instancesSetting,
	DISCOVERY: z.enum(['consul', 'static'], 'must be consul or static').optional(),
	TOKEN_ISSUER: z.string().default('paddock'),
	TOKEN_AUDIENCE: z.string().default('paddock'),
	DRAIN_MS: integerSetting(0, 60_000, 1_000),
	SHUTDOWN_TIMEOUT_MS: integerSetting(100, 120_000, 15_000),
	REGISTRY_CHECK_INTERVAL_MS: integerSetting(1_000, 60_000, 5_000),
	BODY_BYTES_MAX: integerSetting(1_024, 1_073_741_824, 102_400),
};

/** The settings of every service beside those it has in common with the gateway. */
export const serviceSettings = {
	...processSettings,
	TRUSTED_PROXIES: addressListSetting(['127.0.0.0/8', '::1/128']),
};

/** Where to listen: loopback unless told otherwise, everywhere in production. */
export function hostOf(settings: { HOST?: string | undefined; NODE_ENV: string }): string {
	return settings.HOST ?? (settings.NODE_ENV === 'production' ? '0.0.0.0' : '127.0.0.1');
}
