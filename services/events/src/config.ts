import {
	databaseUrlSetting,
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
		PORT: portSetting(8085),
		DATABASE_URL: databaseUrlSetting('events'),
		DATABASE_POOL_MAX: integerSetting(1, 100, 10),
		/** What this service proves itself with when it asks others about riders, horses and clubs. */
		SERVICE_SECRET: serviceSecretSetting('events-service'),
		/** For one attempt at another service; a question takes at most twice as long. */
		PEER_TIMEOUT_MS: integerSetting(50, 10_000, 1_500),
		/** Puts invented events in. */
		DEMO: switchSetting(false),
	})
	.superRefine(ownServiceSecret)
	.superRefine(noDemoInProduction);

export type EventsSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): EventsSettings {
	return readSettings(settings, env);
}

/** The settings' names, for whoever checks that a deployment file sets only what exists. */
export const settingNames: readonly string[] = Object.keys(settings.shape);
