import { portSetting, readSettings, serviceSettings } from '@paddock/service';
import { z } from 'zod';

const settings = z.object({ ...serviceSettings, PORT: portSetting(8086) });

export type PingSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(): PingSettings {
	return readSettings(settings, process.env);
}
