import { randomBytes } from 'node:crypto';
import { join, resolve } from 'node:path';
import type { ContextDescription } from '@paddock/contract';
import { variablesOf } from '@paddock/service/secret-files';
import { contexts, serviceName } from '../contexts/contexts.ts';
import type { StartConfig } from './config.ts';
import { type PlannedService, planServices, serviceHost } from './port-plan.ts';

type Environment = Record<string, string>;

/** The settings of discovery: DISCOVERY with CONSUL_HTTP_ADDR or SERVICE_INSTANCES. */
export type RegistryEnvironment = Environment;

/** Settings that are not inherited: those of the start itself, and those of single services, which are set below. */
const notInherited = new Set(
	variablesOf([
		'DATABASE_URL',
		'INSTANCES',
		'MIGRATION_DATABASE_URL',
		'POSTGRES_URL',
		'READ_DATABASE_URL',
		'TEST_POSTGRES_URL',
		'PGPASSWORD',
		'DATA_DIR',
		'DEMO',
		'DISCOVERY',
		'CONSUL_HTTP_ADDR',
		'REDIS_URL',
		'SERVICE_INSTANCES',
		'SERVICE_SECRET',
		'SERVICE_SECRETS',
		'MAIL_DIR',
		'MAIL_FROM',
		'MAIL_BOUNCES_TO',
		'MAIL_REPORTS_SECRET',
		'OIDC_CLIENT_SECRET',
		// All processes would have the same name in traces.
		'OTEL_SERVICE_NAME',
		...contexts.flatMap(({ secrets = {} }) => Object.keys(secrets)),
	]),
);

/** The gateway's environment: the start's, without the secrets of others. */
export function gatewayEnvironment(config: StartConfig, registry: RegistryEnvironment): Environment {
	return {
		...inheritedEnvironment(config),
		...given(config, ['REDIS_URL']),
		...registry,
		PORT: String(config.port),
		HOST: config.host,
		CONTEXTS: contextNames(config),
		DEMO: config.demo ? 'on' : 'off',
	};
}

function contextNames(config: StartConfig): string {
	return config.contexts.map((context) => context.name).join(',');
}

interface OwnSettings {
	readonly databaseUrl: string | undefined;
	readonly serviceSecrets: ServiceSecrets;
	readonly keyEncryption?: Environment;
}

/** A service's environment: the start's, with the service's own secrets and database address. */
export function serviceEnvironment(
	config: StartConfig,
	{ context, portOffset }: Pick<PlannedService, 'context' | 'portOffset'>,
	registry: RegistryEnvironment,
	own: OwnSettings,
): Environment {
	const { DRAIN_MS: drainMs = '0' } = config.environment;
	return {
		...inheritedEnvironment(config),
		...given(config, Object.keys(context.secrets ?? {})),
		...registry,
		PORT: String(config.port + portOffset),
		HOST: serviceHost(config),
		// Contexts that are not running must not be called.
		CONTEXTS: contextNames(config),
		DEMO: config.demo ? 'on' : 'off',
		// The gateway, its only caller, stops first, so no requests remain to drain.
		DRAIN_MS: drainMs,
		...secretSettings(own.serviceSecrets, context),
		...(context.issuesServiceTokens === true && own.keyEncryption),
		...accountSettings(config, context),
		...(own.databaseUrl === undefined ? {} : { DATABASE_URL: own.databaseUrl }),
	};
}

/** Of the context of accounts. Without a mail server its mails are files. */
function accountSettings(config: StartConfig, { name }: Pick<ContextDescription, 'name'>): Environment {
	if (name !== 'auth') return {};
	const host = config.host === '0.0.0.0' ? '127.0.0.1' : config.host;
	return {
		...given(config, ['MAIL_FROM', 'MAIL_BOUNCES_TO', 'MAIL_REPORTS_SECRET', 'OIDC_CLIENT_SECRET']),
		MAIL_DIR: mailDirectoryOf(config),
		...(Object.keys(given(config, ['PUBLIC_URL'])).length === 0
			? { PUBLIC_URL: `http://${host}:${config.port}` }
			: {}),
	};
}

/** The directory of the mails without SMTP_URL. */
export function mailDirectoryOf({ dataDir, environment }: StartConfig): string {
	return environment['MAIL_DIR'] ?? join(resolve(dataDir), 'mail');
}

/** `auth-service=http://127.0.0.1:8081,…`, for the static list. */
export function serviceInstances(config: StartConfig): string {
	const own = planServices(config).map(
		({ context, portOffset }) => `${serviceName(context)}=http://127.0.0.1:${config.port + portOffset}`,
	);
	// Settings of attached services, which are started elsewhere.
	const { SERVICE_INSTANCES: others } = config.environment;
	return [...own, ...(others === undefined ? [] : [others])].join(',');
}

/** These settings as the start has them, or the paths of their files. */
function given({ environment }: StartConfig, names: readonly string[]): Environment {
	const values = variablesOf(names).map((name) => [name, environment[name]]);
	return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}

/** The environment without the settings of `notInherited`. */
function inheritedEnvironment(config: StartConfig): Environment {
	const result: Environment = {};
	for (const [name, value] of Object.entries(config.environment)) {
		if (value !== undefined && !notInherited.has(name)) result[name] = value;
	}
	return result;
}

/** Secrets of the clients that auth issues tokens for, by context name. */
type ServiceSecrets = ReadonlyMap<string, string>;

/** New secrets at each start, for all clients: auth requires the whole list, even for contexts that are not running. */
export function newServiceSecrets(): ServiceSecrets {
	const clients = contexts.filter(({ client }) => client !== undefined);
	return new Map(clients.map(({ name }) => [name, randomBytes(32).toString('base64url')]));
}

/** Settings with the secret of one service; for the token issuer, with all secrets. */
function secretSettings(
	secrets: ServiceSecrets,
	context: Pick<ContextDescription, 'name' | 'issuesServiceTokens'>,
): Record<string, string> {
	const own = secrets.get(context.name);
	if (own !== undefined) return { SERVICE_SECRET: own };
	if (context.issuesServiceTokens !== true) return {};
	const list = [...secrets].map(([name, secret]) => `${serviceName({ name })}=${secret}`);
	return { SERVICE_SECRETS: list.join(',') };
}
