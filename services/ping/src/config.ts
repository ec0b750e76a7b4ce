import { portSetting, readSettings, serviceSettings } from '@paddock/service';
import { z } from 'zod';
import { context } from '../context.ts';

/** What this service reads from its environment. */
export const settings = z.object({ ...serviceSettings, PORT: portSetting(8080 + context.portOffset) });

export type PingSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(): PingSettings {
	return readSettings(settings, process.env);
}

/** The settings' names, for whoever checks that a deployment file sets only what exists. */
export const settingNames: readonly string[] = Object.keys(settings.shape);
