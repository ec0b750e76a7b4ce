import type { ContextDescription } from '@paddock/contract';
import { z } from 'zod';
import { databaseUrlSetting, migrationSettings, readReplicaSettings } from './database-settings.ts';
import { integerSetting } from './integer-setting.ts';
import { withRules } from './read-settings.ts';
import { ownServiceSecret, serviceSecretSetting } from './service-secret.ts';
import { noDemoInProduction, portSetting, processRules, serviceSettings, switchSetting } from './settings.ts';

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
