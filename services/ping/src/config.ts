import { portSetting, readSettings, serviceSettings } from '@paddock/service';
import { z } from 'zod';
import { context } from '../context.ts';

/** Settings of this service. */
export const settings = z.object({ ...serviceSettings, PORT: portSetting(8080 + context.portOffset) });

export type PingSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(): PingSettings {
	return readSettings(settings, process.env);
}

/** The names of the settings, to check deployment files against. */
export const settingNames: readonly string[] = Object.keys(settings.shape);
