import { contextRules, contextSettings, readSettings, withRules } from '@paddock/service/settings';
import { z } from 'zod';
import { context } from '../context.ts';

/** Settings of this service. */
export const settings = withRules(z.object(contextSettings(context)), contextRules);

export type EventsSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): EventsSettings {
	return readSettings(settings, env);
}
