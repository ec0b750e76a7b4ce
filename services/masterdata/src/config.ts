import {
	databaseUrlSetting,
	integerSetting,
	noDemoInProduction,
	portSetting,
	readSettings,
	serviceSettings,
	switchSetting,
} from '@paddock/service';
import { z } from 'zod';

/** What this service reads from its environment. */
export const settings = z
	.object({
		...serviceSettings,
		PORT: portSetting(8083),
		DATABASE_URL: databaseUrlSetting('masterdata'),
		DATABASE_POOL_MAX: integerSetting(1, 100, 10).describe('Connections to its database at most.'),
		DEMO: switchSetting(false).describe('Whether the service puts invented venues in at its start.'),
	})
	.superRefine(noDemoInProduction);

export type MasterdataSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(
	env: Readonly<Record<string, string | undefined>> = process.env,
): MasterdataSettings {
	return readSettings(settings, env);
}

/** The settings' names, for whoever checks that a deployment file sets only what exists. */
export const settingNames: readonly string[] = Object.keys(settings.shape);
