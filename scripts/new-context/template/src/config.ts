import {
	databaseContextSettings,
	noDemoInProduction,
	processRules,
	readSettings,
	withRules,
} from '@paddock/service/settings';
import { z } from 'zod';
import { context } from '../context.ts';

/** Settings of this service. */
export const settings = withRules(z.object(databaseContextSettings(context)), [
	...processRules,
	noDemoInProduction,
]);

export type SpecimensSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(
	env: Readonly<Record<string, string | undefined>> = process.env,
): SpecimensSettings {
	return readSettings(settings, env);
}
