import {
	contextRules,
	contextSettings,
	deployedContextsSetting,
	readSettings,
	withRules,
} from '@paddock/service/settings';
import { z } from 'zod';
import { context } from '../context.ts';

/** Settings of this service. */
export const settings = withRules(
	z.object({ ...contextSettings(context), CONTEXTS: deployedContextsSetting(context) }),
	contextRules,
);

export type HorsesSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): HorsesSettings {
	return readSettings(settings, env);
}
