import {
	contextsSetting,
	databaseUrlSetting,
	everyContext,
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

const settings = z
	.object({
		...serviceSettings,
		PORT: portSetting(8082),
		DATABASE_URL: databaseUrlSetting('members'),
		DATABASE_POOL_MAX: integerSetting(1, 100, 10),
		/** Puts invented clubs and members in. */
		DEMO: switchSetting(false),
		/** The contexts that the deployment has; one that is missing is not asked. */
		CONTEXTS: contextsSetting(everyContext),
		SERVICE_SECRET: serviceSecretSetting('members-service'),
		/** The first half of the membership numbers of those who have no club; no club gets it. */
		FEDERATION_CLUB_NUMBER: z
			.string()
			.regex(/^[1-9]\d{3}$/, 'must be four digits, the first not 0')
			.default('9000'),
		/** For one attempt to ask another context; a whole question takes at most twice as long. */
		PEER_TIMEOUT_MS: integerSetting(50, 60_000, 1_500),
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
