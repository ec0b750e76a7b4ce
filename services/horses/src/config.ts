import {
	contextsSetting,
	databaseUrlSetting,
	everyContext,
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

const settings = z
	.object({
		...serviceSettings,
		PORT: portSetting(8084),
		DATABASE_URL: databaseUrlSetting('horses'),
		DATABASE_POOL_MAX: integerSetting(1, 100, 10),
		SERVICE_SECRET: serviceSecretSetting('horses-service'),
		/** For one attempt to ask another service; a question takes at most twice as long. */
		PEER_TIMEOUT_MS: integerSetting(50, 10_000, 1_500),
		/** Which contexts the deployment has: one without events isn't asked for entries. */
		CONTEXTS: contextsSetting(everyContext),
		/** Puts invented horses in. */
		DEMO: switchSetting(false),
	})
	.superRefine(ownServiceSecret)
	.superRefine(noDemoInProduction);

export type HorsesSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): HorsesSettings {
	return readSettings(settings, env);
}

/** The settings' names, for whoever checks that a deployment file sets only what exists. */
export const settingNames: readonly string[] = Object.keys(settings.shape);
