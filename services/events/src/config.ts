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
import { context } from '../context.ts';

/** What this service reads from its environment. */
export const settings = z
	.object({
		...serviceSettings,
		PORT: portSetting(8080 + context.portOffset),
		DATABASE_URL: databaseUrlSetting('events'),
		DATABASE_POOL_MAX: integerSetting(1, 100, 10).describe('Connections to its database at most.'),
		SERVICE_SECRET: serviceSecretSetting('events-service').describe(
			'What the service proves itself with when it asks others about riders, horses and clubs; auth knows it from SERVICE_SECRETS.',
		),
		PEER_TIMEOUT_MS: integerSetting(50, 10_000, 1_500).describe(
			'How long one attempt to ask another service may take; a whole question takes at most twice as long.',
		),
		DEMO: switchSetting(false).describe(
			'Whether the service puts invented tournaments and entries in at its start.',
		),
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
