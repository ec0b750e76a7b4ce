import {
	databaseUrlSetting,
	deployedContextsSetting,
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
		DATABASE_URL: databaseUrlSetting('members'),
		DATABASE_POOL_MAX: integerSetting(1, 100, 10).describe('Connections to its database at most.'),
		DEMO: switchSetting(false).describe(
			'Whether the service puts invented clubs and members in at its start.',
		),
		CONTEXTS: deployedContextsSetting(context),
		SERVICE_SECRET: serviceSecretSetting('members-service').describe(
			'Secret with which the service gets its token from auth, which knows it from SERVICE_SECRETS; other services are called with that token.',
		),
		FEDERATION_CLUB_NUMBER: z
			.string()
			.regex(/^[1-9]\d{3}$/, 'must be four digits, the first not 0')
			.default('9000')
			.describe('The first half of the membership numbers of those who have no club; no club gets it.'),
		PEER_TIMEOUT_MS: integerSetting(50, 60_000, 1_500).describe(
			'How long one attempt to ask another service may take; a whole question takes at most twice as long.',
		),
	})
	.superRefine(noDemoInProduction)
	.superRefine(ownServiceSecret);

export type MembersSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): MembersSettings {
	return readSettings(settings, env);
}

/** The settings' names, for whoever checks that a deployment file sets only what exists. */
export const settingNames: readonly string[] = Object.keys(settings.shape);
