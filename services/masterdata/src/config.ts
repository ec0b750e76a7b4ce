import {
	databaseUrlSetting,
	deployedContextsSetting,
	integerSetting,
	noDemoInProduction,
	ownServiceSecret,
	portSetting,
	readSettings,
	serviceSecretSetting,
	serviceSettings,
	switchSetting,
} from '@paddock/service';
import { z } from 'zod';
import { context } from '../context.ts';

/** What this service reads from its environment. */
export const settings = z
	.object({
		...serviceSettings,
		PORT: portSetting(8080 + context.portOffset),
		DATABASE_URL: databaseUrlSetting('masterdata'),
		DATABASE_POOL_MAX: integerSetting(1, 100, 10).describe('Connections to its database at most.'),
		CONTEXTS: deployedContextsSetting(context),
		SERVICE_SECRET: serviceSecretSetting('masterdata-service').describe(
			'Secret with which the service gets its token from auth, which knows it from SERVICE_SECRETS; other services are called with that token.',
		),
		PEER_TIMEOUT_MS: integerSetting(50, 60_000, 1_500).describe(
			'Timeout of one attempt to call another service; a whole call takes at most twice as long.',
		),
		DEMO: switchSetting(false).describe('Whether the service puts invented venues in at its start.'),
	})
	.superRefine(noDemoInProduction)
	.superRefine(ownServiceSecret);

export type MasterdataSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(
	env: Readonly<Record<string, string | undefined>> = process.env,
): MasterdataSettings {
	return readSettings(settings, env);
}

/** The settings' names, for whoever checks that a deployment file sets only what exists. */
export const settingNames: readonly string[] = Object.keys(settings.shape);
