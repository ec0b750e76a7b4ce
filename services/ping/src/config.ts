import {
	contextPort,
	processRules,
	readSettings,
	serviceSettings,
	withRules,
} from '@paddock/service/settings';
import { z } from 'zod';
import { context } from '../context.ts';

/** Settings of this service. */
export const settings = withRules(z.object({ ...serviceSettings, PORT: contextPort(context) }), [
	...processRules,
]);

type PingSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(): PingSettings {
	return readSettings(settings, process.env);
}
