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

/** Settings of this service. */
export const settings = z
	.object({
		...serviceSettings,
		PORT: portSetting(8080 + context.portOffset),
		DATABASE_URL: databaseUrlSetting('members'),
		DATABASE_POOL_MAX: integerSetting(1, 100, 10).describe('Maximum number of database connections.'),
		DEMO: switchSetting(false).describe('Whether the service creates demo clubs and members at the start.'),
		CONTEXTS: deployedContextsSetting(context),
		SERVICE_SECRET: serviceSecretSetting('members-service').describe(
			'Secret with which the service gets its token from auth, for calls to other services; listed in SERVICE_SECRETS of auth.',
		),
		FEDERATION_CLUB_NUMBER: z
			.string()
			.regex(/^[1-9]\d{3}$/, 'must be four digits, the first not 0')
			.default('9000')
			.describe('First four digits of the membership numbers of members without a club; reserved for them.'),
		PEER_TIMEOUT_MS: integerSetting(50, 60_000, 1_500).describe(
			'Timeout of one attempt to call another service; a call with its retry takes at most twice as long.',
		),
	})
	.superRefine(noDemoInProduction)
	.superRefine(ownServiceSecret);

export type MembersSettings = z.output<typeof settings>;

/** @throws SettingsError listing every violation. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): MembersSettings {
	return readSettings(settings, env);
}

/** The names of the settings, to check deployment files against. */
export const settingNames: readonly string[] = Object.keys(settings.shape);
