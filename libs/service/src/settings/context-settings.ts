import type { ContextDescription } from '@paddock/contract';
import { z } from 'zod';
import { integerSetting } from './integer-setting.ts';
import { type SettingRule, withRules } from './read-settings.ts';
import { noDemoInProduction, portSetting, processRules, serviceSettings, switchSetting } from './settings.ts';

/** Format of the secret with which a service authenticates to auth. No comma: SERVICE_SECRETS is a list. */
export const serviceSecretFormat = /^[\x21-\x2b\x2d-\x7e]{32,256}$/;

/** The default secret outside of production. It is public, so production refuses it. */
export function developmentSecretOf(client: string): string {
	return `${client}-public-development-secret`;
}

/** SERVICE_SECRET of the service `client`, e.g. `horses-service`. Use it with the rule `ownServiceSecret`. */
export function serviceSecretSetting(client: string) {
	return z
		.string()
		.regex(serviceSecretFormat, 'must be 32 to 256 visible ASCII characters without a comma')
		.default(developmentSecretOf(client));
}

interface SecretSettings {
	readonly NODE_ENV: string;
	readonly SERVICE_SECRET: string;
}

/** The development secret is public. */
export const ownServiceSecret: SettingRule<SecretSettings> = {
	names: ['SERVICE_SECRET', 'NODE_ENV'],
	isMet: ({ NODE_ENV, SERVICE_SECRET }) => NODE_ENV !== 'production' || !isDevelopmentSecret(SERVICE_SECRET),
	message: 'is required with NODE_ENV=production, and must not be a development secret',
};

export function isDevelopmentSecret(secret: string): boolean {
	return secret.endsWith(developmentSecretOf(''));
}

export function databaseUrlSetting(database: string) {
	return z
		.string()
		.regex(/^postgres(ql)?:\/\//, `must be an address such as postgres://role:password@host:5432/${database}`)
		.describe(
			'Address of the database, which only this service uses; several servers as `HOST:PORT,HOST:PORT` with `?target_session_attrs=read-write`. With `?connect_timeout=5` a request waits 5 s for a connection instead of 2 s.',
		);
}

export function migrationSettings(database: string) {
	return {
		MIGRATION_DATABASE_URL: databaseUrlSetting(database)
			.optional()
			.describe(
				'Address of the database for migrations, if DATABASE_URL is that of a pooler: the address of the server itself, with the same role. By default DATABASE_URL.',
			),
		MIGRATE_ON_START: switchSetting(true).describe(
			'Whether the service migrates its database at the start. With `off` it refuses to start if a migration is missing; `npm run migrate` migrates.',
		),
	};
}

function readReplicaSettings(database: string) {
	return {
		READ_DATABASE_URL: databaseUrlSetting(database)
			.optional()
			.describe(
				'Address of one streaming standby of the database, from which lists, searches and statistics are read. By default all reads go to DATABASE_URL.',
			),
		READ_LAG_MS_MAX: integerSetting(200, 600_000, 2_000).describe(
			'Maximum lag of that standby, and so the maximum age of a list; beyond it lists are read from DATABASE_URL.',
		),
	};
}

/** The setting for the interval in which a service without work looks for jobs. */
export const jobPollSetting = integerSetting(500, 60_000, 2_000).describe(
	'Interval in which the service looks for jobs, such as mails, while it has none.',
);

/** The port of a service whose PORT is not set: the gateway's default port plus the offset of the context. */
export function contextPort({ portOffset }: Pick<ContextDescription, 'portOffset'>) {
	return portSetting(8080 + portOffset);
}

function databaseSettings(context: ContextDescription) {
	return {
		...serviceSettings,
		PORT: contextPort(context),
		DATABASE_URL: databaseUrlSetting(context.name),
		DATABASE_POOL_MAX: integerSetting(1, 100, 10).describe(
			'Maximum number of database connections; transactions use at most half of them, the others are left to reads.',
		),
		...migrationSettings(context.name),
		...readReplicaSettings(context.name),
		HISTORY_DAYS: integerSetting(30, 36_500, 3_650).describe(
			'Days for which the change history of records is kept; older changes are deleted.',
		),
		DEMO: switchSetting(false).describe(
			`Whether the service creates demo ${context.demo ?? 'records'} at the start.`,
		),
	};
}

const databaseRules = [...processRules, noDemoInProduction];

/** The settings of a service that has a database. Add its own with `safeExtend`. */
export function databaseContextSettings(context: ContextDescription) {
	return withRules(z.object(databaseSettings(context)), databaseRules);
}

/** The settings of a service that also calls other services. Add its own with `safeExtend`. */
export function contextSettings(context: ContextDescription) {
	return withRules(
		z.object({
			...databaseSettings(context),
			SERVICE_SECRET: serviceSecretSetting(`${context.name}-service`).describe(
				'Secret with which the service gets its token from auth, for calls to other services; listed in SERVICE_SECRETS of auth.',
			),
			PEER_TIMEOUT_MS: integerSetting(50, 60_000, 1_500).describe(
				'Timeout of one attempt to call another service; a call with its retry takes at most twice as long.',
			),
		}),
		[...databaseRules, ownServiceSecret],
	);
}
